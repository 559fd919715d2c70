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

// A folder is removed in steps. No writer waits for its files, however many there are, and it goes whole or stays whole: its entries are
// listed, shown to the guards and recorded; one rename moves the folder aside, which is all that needs the lock; the result is compared
// with the record; only then is it removed. Until that point the rename can be reverted, by this process or by whichever finds the folder
// after a crash. The folder moves to a temporary name in the root of the store, where no command moves it further, or next to itself if
// the root is on another file system or closed. Listings never show it.

// AsideRecorder is a [Recorder] that learns when the removal of a folder can no longer be reverted: the folder is at the Temp of the
// edit, with the contents that Begin saw. From then on, whichever process finds it completes the removal. An error from Decided doesn't
// stop it.
type AsideRecorder interface {
	Decided(e *Edit) error
}

// asideLock is how long moving a folder back may wait for the lock, even if the caller has gone.
const asideLock = 2 * backend.LockPatience

// errNotMoved reports that a folder could not be moved to the announced name; another place may work.
var errNotMoved = errors.New("the folder could not be moved aside")

// deleteFolder deletes a folder that is not empty. done is false for anything else, which is removed in one step.
func (r *request) deleteFolder() (result Result, done bool) {
	k, ok := r.store.backend.(backend.AsideKeeper)
	if !ok {
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
			return Result{}, false // folders can't be moved here, as on some layered file systems
		case try >= maxTries || !outdated(err):
			return r.failedApply(err).result(), true
		}
	}
}

// isFull reports whether name is a folder with entries.
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
	to     string // the temporary name of the folder
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

// move is the only part that holds the lock.
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

// check verifies that the moved folder has the contents shown to the guards, and that it can be removed.
func (a *aside) check() error {
	if err := a.unchangedAt(a.plan, a.to); err != nil {
		return err
	}
	if err := a.keeper.Removable(a.ctx, a.to); err != nil {
		return err
	}
	return a.ctx.Err()
}

// putBack reverts the move because of why. If another writer used the name meanwhile, the folder gets a free name beside it, so that
// its bytes aren't lost.
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

// unchangedAt is unchanged for an entry that was moved to another name.
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
