package memstore

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"syscall"

	"memcurator/memstore/backend"
)

// A folder is removed in steps. Then no writer waits for its files, however many they are, and it
// goes whole or stays whole: what it holds is listed, shown to the guards and recorded; then it is moved aside
// by one rename, which is all that happens in the turn; what is there now is compared with what
// was recorded; and only then it is removed. Until that point the rename can be reverted, by
// this process or by whoever finds the folder after it died. The name that it is moved to is that
// of a temporary file, in the root of the store, where no command moves it any further, or beside the folder where
// the root is another file system or closed. No listing shows it.

// AsideRecorder is a [Recorder] that learns when a removal of a folder can no longer be reverted: the folder is at the Temp of the
// edit, and is what Begin was shown. From then on whoever finds it completes the removal. An error of
// Decided does not stop that.
type AsideRecorder interface {
	Decided(e *Edit) error
}

// asideLock is how long putting a folder back waits for its turn, whatever became of the caller.
const asideLock = 2 * backend.LockPatience

// errNotMoved says that a folder could not be moved to the name that was announced: another place may do.
var errNotMoved = errors.New("the folder could not be moved aside")

// deleteFolder carries out a delete of a folder that holds something; done is false for any other, which is removed in one step.
func (r *request) deleteFolder() (result Result, done bool) {
	k, ok := r.store.backend.(backend.AsideKeeper)
	if !ok || r.store.sessions != nil {
		return Result{}, false
	}
	for try, beside := 1, false; ; try++ {
		t, bad := r.locate(r.c.Path, false)
		if bad != nil || t.name == "." || !r.isFull(t.name) {
			return Result{}, false
		}
		p, e, bad := r.decide()
		if bad != nil {
			return bad.result(), true
		}
		a := aside{request: r, keeper: k, plan: p, to: backend.NewTempName()}
		if beside {
			a.to = backend.JoinName(path.Dir(p.name), a.to)
		}
		err := a.carryOut(e)
		switch {
		case err == nil:
			return Result{Content: p.success}, true
		case errors.Is(err, errNotMoved) && !beside && path.Dir(p.name) != ".":
			beside = true
		case errors.Is(err, errNotMoved):
			return Result{}, false // no folder can be moved here, as on some file systems in layers
		case try >= maxTries || !outdated(err):
			return r.failedApply(err).result(), true
		}
	}
}

// isFull reports whether name is a folder that holds something.
func (r *request) isFull(name string) bool {
	info, err := r.store.backend.Lstat(name)
	if err != nil || info.Kind != backend.KindDir {
		return false
	}
	list, err := r.store.backend.ReadDir(name)
	return err != nil || len(list) > 0
}

// aside is one removal of a folder.
type aside struct {
	*request
	keeper backend.AsideKeeper
	plan   *plan
	to     string // the name that the folder is moved to
}

func (a *aside) carryOut(e *Edit) error {
	end := func(error) {}
	if e != nil {
		e.Temp = backend.AgentPath(a.to)
		var bad *Error
		if end, bad = a.begin(e); bad != nil {
			return bad
		}
	}
	err := a.move()
	if err == nil {
		a.plan.moved.Store(&a.to)
		if err = a.check(); err != nil {
			err = a.putBack(err)
		}
	}
	if err != nil {
		end(err)
		return err
	}
	for _, rec := range a.store.options.Recorders {
		if d, ok := rec.(AsideRecorder); ok {
			if err := d.Decided(e); err != nil {
				a.store.warn(err)
			}
		}
	}
	if err := a.keeper.RemoveAside(a.to); err != nil {
		// The folder is gone from the store, and recorded. The next start removes the rest.
		a.store.warn(fmt.Errorf("deleted %s, but a part of it remains in %s: %w", a.c.Path, backend.AgentPath(a.to), err))
	}
	end(nil)
	return nil
}

// move is all that happens in the turn.
func (a *aside) move() error {
	unlock, err := a.store.backend.Lock(a.ctx)
	if err != nil {
		return err
	}
	defer unlock()
	info, err := a.store.backend.Lstat(a.plan.name)
	if err != nil {
		return err
	}
	if was := a.plan.before; info.Kind != backend.KindDir || len(was) > 0 && was[len(was)-1].info.ID != info.ID {
		return backend.ErrChanged
	}
	err = a.store.backend.Rename(a.plan.name, a.to)
	if errors.Is(err, syscall.EBUSY) {
		return fmt.Errorf("%w: %w", backend.ErrMounted, err)
	}
	for _, no := range []error{syscall.EXDEV, backend.ErrPermission, syscall.EROFS, errors.ErrUnsupported} {
		if errors.Is(err, no) {
			return fmt.Errorf("%w: %w", errNotMoved, err)
		}
	}
	return err
}

// check makes sure that what was moved is what was shown, and that it can be removed.
func (a *aside) check() error {
	if err := a.unchangedAt(a.plan, a.to); err != nil {
		return err
	}
	if err := a.keeper.Removable(a.ctx, a.to); err != nil {
		return err
	}
	return a.ctx.Err()
}

// putBack reverts the move, for the reason why. If another writer has taken the name meanwhile, the folder
// gets one beside it: its bytes must not be lost.
func (a *aside) putBack(why error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), asideLock)
	defer cancel()
	unlock, err := a.store.backend.Lock(ctx)
	if err == nil {
		defer unlock()
		name := a.plan.name
		for n := 1; ; n++ {
			if err = a.store.backend.Rename(a.to, name); !errors.Is(err, backend.ErrExist) || n == maxTries {
				break
			}
			name = a.plan.name + "-" + strconv.Itoa(n)
		}
	}
	if err != nil {
		a.store.warn(fmt.Errorf("can't move %s back from %s: %w", a.c.Path, backend.AgentPath(a.to), err))
	}
	return why
}

// unchangedAt is unchanged for what was moved to another name.
func (r *request) unchangedAt(p *plan, to string) error {
	if p.before == nil {
		return nil
	}
	now, err := r.below(make([]entry, 0, len(p.before)), to, p.before[len(p.before)-1].info)
	if err != nil {
		return err
	}
	if len(now) != len(p.before) {
		return backend.ErrChanged
	}
	for i := range now {
		now[i].name = p.name + now[i].name[len(to):]
		if !now[i].same(p.before[i]) {
			return backend.ErrChanged
		}
	}
	return nil
}
