package memstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"memcurator/memstore/backend"
)

// Step is one change to one path that is given by its bytes and not as a command of the tool:
// what undo, restore and plans are made of. Any bytes and any names of the disk pass.
type Step struct {
	Kind    backend.Kind // KindFile, KindDir or KindLink
	Path    string       // agent path
	OldPath string       // agent path that moves to Path; "" for everything else
	Remove  bool         // Path goes; a folder only when it is empty
	Data    []byte       // of a file its bytes, of a link its text
	// Expect is what must be at Path, or of a move at OldPath; nil: nothing may be
	// at Path, of a move and a removal anything goes.
	Expect *Digest
	// Stamps are what a file, link or folder that is written gets besides; of what is zero a
	// file keeps its mode, what is new has the backend's, and the time is that of the write.
	Stamps
}

// Apply carries out one step: under the lock, told to the recorders first, and only if what is
// there is what was expected ([ErrChanged], [ErrExist]). Guards are not asked: they are for the agent.
func (s *Store) Apply(ctx context.Context, st Step) error {
	_, err := s.ApplyAll(ctx, []Step{st})
	return err
}

// ApplyAll carries out steps in their order, each as [Store.Apply] does. Where the backend has [Sessions] they are one
// commit: all of them or none. Elsewhere it stops at the first that fails. done is how many were carried out.
func (s *Store) ApplyAll(ctx context.Context, steps []Step) (done int, err error) {
	if s.sessions != nil && len(steps) > 0 {
		return s.applyTogether(ctx, steps)
	}
	for i, st := range steps {
		if err := s.applyAlone(ctx, st); err != nil {
			return i, err
		}
	}
	return len(steps), nil
}

// stepRequest is a step on its way.
type stepRequest struct {
	*request
	Step
}

func (s *Store) stepRequest(ctx context.Context, st Step) stepRequest {
	r := s.request(ctx, Command{Name: st.command(), Path: st.Path, OldPath: st.OldPath, NewPath: st.Path})
	r.access, r.detailed, r.at = backend.Look, true, s.now()
	return stepRequest{r, st}
}

// failed wraps the cause of a failing step.
func (r stepRequest) failed(cause error) *Error {
	return r.request.failed(target{raw: r.Path, show: r.Path}, cause)
}

func (s *Store) applyAlone(ctx context.Context, st Step) error {
	r := s.stepRequest(ctx, st)
	if s.options.ReadOnly {
		return r.failed(ErrReadOnly)
	}
	unlock, err := s.backend.Lock(ctx)
	if err != nil {
		return r.failed(err)
	}
	defer unlock()
	_, end, bad := r.carryOut()
	if bad != nil {
		return bad
	}
	end(nil)
	return nil
}

// applyTogether carries out steps in one session. The conditions of a step decide; only a commit that comes too late is repeated.
func (s *Store) applyTogether(ctx context.Context, steps []Step) (done int, err error) {
	first := s.stepRequest(ctx, steps[0])
	if s.options.ReadOnly {
		return 0, first.failed(ErrReadOnly)
	}
	w := Want{Write: true, Bytes: eagerEdit}
	for _, st := range steps {
		for _, p := range []string{st.Path, st.OldPath} {
			if name, err := stepName(p); err == nil {
				w.Paths = append(w.Paths, name)
			}
		}
	}
	for try := 1; ; try++ {
		w.Turn = try > freeTries
		late, err := first.together(steps, w)
		switch {
		case err == nil:
			return len(steps), nil
		case try == maxTries || !late:
			return 0, err
		}
	}
}

// together carries out steps in a session of its own. late: its commit found the store changed.
func (r stepRequest) together(steps []Step, w Want) (late bool, err error) {
	seen, done, err := r.store.look(r.ctx, w)
	if err != nil {
		return false, r.failed(err)
	}
	defer done()
	var edits []*Edit
	var ends []func(error)
	defer func() {
		for _, end := range ends {
			end(err)
		}
	}()
	for _, st := range steps {
		e, end, bad := seen.stepRequest(r.ctx, st).carryOut()
		if bad != nil {
			return false, bad
		}
		ends = append(ends, end)
		if e != nil {
			edits = append(edits, e)
		}
	}
	if len(edits) == 0 {
		return false, nil
	}
	if err = seen.commit(r.ctx, r.key, edits...); err != nil {
		return outdated(err), r.failed(err)
	}
	return false, nil
}

// carryOut decides and carries out the step. end is called once, with the outcome; the edit is nil where there was nothing to do.
func (r stepRequest) carryOut() (e *Edit, end func(error), bad *Error) {
	p, err := r.plan()
	if err != nil {
		return nil, nil, r.failed(err)
	}
	if p.action == doNothing {
		return nil, func(error) {}, nil
	}
	e = r.edit(p)
	if r.Kind != backend.KindLink {
		r.name(p, e)
	}
	if end, bad = r.begin(e); bad != nil {
		return nil, nil, bad
	}
	if err = r.apply(p); err != nil {
		end(err)
		return nil, nil, r.failed(err)
	}
	return e, end, nil
}

// command is the tool's word for a step.
func (st *Step) command() string {
	switch {
	case st.OldPath != "":
		return CmdRename
	case st.Remove:
		return CmdDelete
	}
	return CmdCreate
}

func (r stepRequest) apply(p *plan) error {
	b := r.store.backend
	if r.Kind == backend.KindLink && p.action == doCreate {
		m, ok := b.(LinkMaker)
		if !ok {
			return errors.ErrUnsupported
		}
		if err := m.Symlink(string(r.Data), p.name); err != nil {
			return err
		}
		r.Mode = 0
	} else if err := r.request.apply(p); err != nil {
		return err
	}
	if p.action == doCreate || p.action == doReplace || p.action == doMakeFolder {
		if err := restamp(b, p.name, r.Stamps); err != nil {
			r.store.warn(err) // the bytes are there, and a mode that is not set is the narrowest
		}
	}
	return nil
}

// stepName is the name of an agent path as it is spelled: names of a disk may hold anything.
func stepName(agentPath string) (string, error) {
	name, ok := backend.NameOf(agentPath)
	if !ok {
		return "", backend.ErrPrefix
	}
	if name == "." {
		return "", backend.ErrRoot
	}
	for segment := range backend.EachSegment(name) {
		if segment == ".." || segment == "." || segment == "" {
			return "", backend.ErrEscapes
		}
	}
	return name, nil
}

// plan decides whether the step can be carried out.
func (r stepRequest) plan() (*plan, error) {
	name, err := stepName(r.Path)
	if err != nil {
		return nil, err
	}
	switch {
	case r.OldPath != "":
		return r.planMove(name)
	case r.Remove:
		return r.planRemove(name)
	}
	info, err := r.store.backend.Lstat(name)
	switch {
	case err == nil && r.Kind == backend.KindDir && info.Kind == backend.KindDir:
		return &plan{action: doNothing}, nil
	case err == nil && r.Expect == nil:
		return nil, backend.ErrExist
	case err == nil:
		return r.planReplace(name)
	case !errors.Is(err, backend.ErrNotExist) && !errors.Is(err, backend.ErrNotDir):
		return nil, err
	case r.Expect != nil:
		return nil, fmt.Errorf("%s: %w", name, backend.ErrChanged)
	}
	c := Change{Kind: r.Kind, Path: r.Path}
	if r.Kind == backend.KindDir {
		return &plan{action: doMakeFolder, name: name, changes: []Change{c}}, nil
	}
	c.After = NewContent(r.Data)
	return &plan{action: doCreate, name: name, data: r.Data, changes: []Change{c}}, nil
}

func (r stepRequest) planReplace(name string) (*plan, error) {
	old, err := r.read(name)
	if err != nil {
		return nil, err
	}
	if Sum(old) != *r.Expect {
		return nil, backend.ErrChanged
	}
	return r.request.planReplace(target{raw: r.Path, name: name, show: r.Path}, old, r.Data, ""), nil
}

func (r stepRequest) planRemove(name string) (*plan, error) {
	info, err := r.store.backend.Lstat(name)
	if err != nil {
		return nil, err
	}
	info.Name = path.Base(name)
	p := &plan{action: doRemove, name: name}
	c := Change{Kind: info.Kind, Path: r.Path}
	switch info.Kind {
	case backend.KindDir:
		if r.Expect != nil {
			return nil, backend.ErrChanged // bytes were expected
		}
		children, err := r.store.backend.ReadDir(name)
		if err != nil {
			return nil, err
		}
		if len(children) > 0 {
			return nil, backend.ErrChanged
		}
	case backend.KindFile:
		data, err := r.read(name)
		if err != nil {
			return nil, err
		}
		if r.Expect != nil && Sum(data) != *r.Expect {
			return nil, backend.ErrChanged
		}
		c.Before = NewContent(data)
		p.before = []entry{{name: name, info: info, data: data}}
	}
	if info.Kind == backend.KindLink && r.Expect != nil {
		if err := r.linkIs(name, *r.Expect); err != nil {
			return nil, err
		}
	}
	p.changes = []Change{c}
	return p, nil
}

// linkIs makes sure that the text of a link is what was expected.
func (r stepRequest) linkIs(name string, expect Digest) error {
	text, err := r.store.backend.Readlink(name)
	if err == nil && Sum([]byte(text)) != expect {
		err = backend.ErrChanged
	}
	return err
}

func (r stepRequest) planMove(name string) (*plan, error) {
	from, err := stepName(r.OldPath)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(name, from+"/") {
		return nil, backend.ErrInside
	}
	info, err := r.store.backend.Lstat(from)
	if err != nil {
		return nil, err
	}
	if _, err := r.store.backend.Lstat(name); err == nil {
		return nil, backend.ErrExist
	}
	c := Change{Kind: info.Kind, Path: r.Path, OldPath: r.OldPath}
	switch {
	case r.Expect == nil:
	case info.Kind == backend.KindDir:
		return nil, backend.ErrChanged
	case info.Kind == backend.KindLink:
		if err := r.linkIs(from, *r.Expect); err != nil {
			return nil, err
		}
	}
	if info.Kind == backend.KindFile {
		var held int64
		c.Before = r.content(from, info.Size, &held)
		c.After = c.Before
		if r.Expect != nil {
			if sum, err := c.Before.Digest(); err != nil || sum != *r.Expect {
				return nil, errors.Join(backend.ErrChanged, err)
			}
		}
	}
	return &plan{action: doRename, name: from, dest: name, changes: []Change{c}}, nil
}

// Stamps are what a file, a folder or a link has beside its bytes and its name. Owners are left to
// the system: giving a file away is for root alone.
type Stamps struct {
	Mode    fs.FileMode // permissions; 0: those that it has. Of a link there are none.
	ModTime time.Time   // of the last change to its bytes; zero: the one that it has
	// AccessTime is when a file was last read; zero: the one that it has.
	AccessTime time.Time
}

// Restamp gives what is at an agent path its stamps back, once everything in it is as it
// was: what is put into a folder changes the folder's own time. The bytes stay, so it is no
// edit: recorders are not told, and guards are not asked. What the backend cannot set stays as it is.
func (s *Store) Restamp(ctx context.Context, path string, to Stamps) error {
	r := s.request(ctx, Command{Name: CmdReplace, Path: path})
	t := target{raw: path, show: path}
	if s.options.ReadOnly {
		return r.failed(t, ErrReadOnly)
	}
	end, err := r.open(1)
	if err != nil {
		return r.failed(t, err)
	}
	defer end()
	name, ok := backend.NameOf(path)
	if !ok {
		return r.failed(t, backend.ErrPrefix)
	}
	if name != "." {
		if name, err = stepName(path); err != nil {
			return r.failed(t, err)
		}
	}
	if err = restamp(r.store.backend, name, to); err == nil {
		err = r.store.commit(ctx, r.key)
	}
	if err != nil {
		return r.failed(t, err)
	}
	return nil
}

// restamp sets the time before the mode: a folder that cannot be entered would not let the
// names in it be reached, but its own time has nothing to do with that.
func restamp(b backend.Backend, name string, to Stamps) error {
	var errs []error
	if k, ok := b.(backend.TimeKeeper); ok && !to.ModTime.IsZero() {
		if err := k.SetModTime(name, to.ModTime); !errors.Is(err, errors.ErrUnsupported) {
			errs = append(errs, err)
		}
	}
	if k, ok := b.(backend.AccessTimeKeeper); ok && !to.AccessTime.IsZero() {
		errs = append(errs, k.SetAccessTime(name, to.AccessTime))
	}
	if k, ok := b.(backend.ModeKeeper); ok && to.Mode != 0 {
		errs = append(errs, k.Chmod(name, to.Mode.Perm()))
	}
	return errors.Join(errs...)
}
