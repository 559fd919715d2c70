package memstore

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"memcurator/memstore/backend"
)

// Step is a change to one path, given by its bytes rather than as a command of the tool. Undo, restore and plans consist of steps. Any
// bytes and any file name are allowed.
type Step struct {
	Kind    backend.Kind // KindFile, KindDir or KindLink
	Path    string       // agent path
	OldPath string       // agent path to move to Path; "" unless the step is a move
	Remove  bool         // delete Path; a folder must be empty
	Data    []byte       // the bytes of a file, or the target of a link
	// Expect is the digest of what must be at Path, or at OldPath for a move.
	// Nil: Path must not exist; moves and removals don't check.
	Expect *Digest
	// Undoes is the revision that the step undoes; 0: none.
	Undoes int64
	// Stamps are set on a file, link or folder that is written. Zero fields: a file keeps its mode, a new entry gets the backend's, and
	// the time is that of the write.
	Stamps
}

// maxTogether is how many steps make one edit at most: all writers of the store wait for its end.
const maxTogether = 100

// Apply carries out steps under the store's lock, each only if its path is as expected ([ErrChanged], [ErrExist]). Of many it takes as
// many from the first as do not bear on each other, announces them to the recorders as one edit, and returns how many it carried out; the
// caller goes on with the rest. It bypasses guards: those are for the agent.
func (s *Store) Apply(ctx context.Context, steps ...Step) (done int, err error) {
	first := s.stepRequest(ctx, steps[0])
	if s.options.ReadOnly {
		return 0, first.failed(ErrReadOnly)
	}
	unlock, err := s.backend.Lock(ctx)
	if err != nil {
		return 0, first.failed(err)
	}
	defer unlock()
	e := &Edit{Command: first.c, Origin: first.origin, Time: first.at}
	list, err := s.together(ctx, steps, e)
	if err != nil {
		return 0, first.failed(err)
	}
	end := func(error) {}
	if len(e.Changes) > 0 {
		var bad *Error
		if end, bad = first.begin(e); bad != nil {
			return 0, bad
		}
	}
	for _, r := range list {
		if err = r.apply(); err != nil {
			err = r.failed(err)
			break
		}
		done++
	}
	end(err)
	return done, err
}

// together plans as many steps as make one edit, and puts their changes into it.
func (s *Store) together(ctx context.Context, steps []Step, e *Edit) (list []stepRequest, err error) {
	paths := map[string]bool{}
	for _, st := range steps[:min(len(steps), maxTogether)] {
		r := s.stepRequest(ctx, st)
		if len(list) > 0 && (r.c.Name != e.Command.Name || paths[st.Path] || !s.standsAlone(st)) {
			break
		}
		p, err := r.plan()
		if err == nil {
			err = r.follow(p)
		}
		if err != nil && len(list) > 0 {
			break // the steps before it may change that
		}
		if err != nil {
			return nil, err
		}
		r.decided = p
		list, paths[st.Path] = append(list, r), true
		if p.action == doNothing {
			continue
		}
		for _, c := range p.changes {
			c.Undoes = st.Undoes
			e.Changes = append(e.Changes, c)
		}
	}
	return list, nil
}

// standsAlone reports whether a step changes nothing but its path: it moves nothing, makes no folder above, and what it removes is no
// record of another program, which has its folders go with it.
func (s *Store) standsAlone(st Step) bool {
	if _, along := s.backend.(backend.Adapted); along || st.OldPath != "" {
		return false
	}
	above := path.Dir(backend.BackendName(st.Path))
	if above == "." {
		return true
	}
	info, err := s.backend.Lstat(above)
	return err == nil && info.Kind == backend.KindDir
}

// stepRequest is a step being carried out.
type stepRequest struct {
	*request
	Step
	decided *plan
}

func (s *Store) stepRequest(ctx context.Context, st Step) stepRequest {
	r := s.request(ctx, Command{Name: st.command(), Path: st.Path, OldPath: st.OldPath, NewPath: st.Path})
	r.access = backend.Look
	return stepRequest{request: r, Step: st}
}

// failed wraps the cause of a failing step.
func (r stepRequest) failed(cause error) *Error {
	return r.request.failed(target{raw: r.Path, show: r.Path}, cause)
}

// command names the step as the tool would.
func (st *Step) command() string {
	switch {
	case st.OldPath != "":
		return CmdRename
	case st.Remove:
		return CmdDelete
	}
	return CmdCreate
}

// apply carries out what was decided.
func (r stepRequest) apply() error {
	b, p := r.store.backend, r.decided
	if r.Kind == backend.KindLink && p.action == doCreate {
		m, ok := b.(backend.LinkMaker)
		if !ok {
			return errors.ErrUnsupported
		}
		return m.Symlink(string(r.Data), p.name)
	}
	if err := r.request.apply(p); err != nil {
		return err
	}
	if p.action == doCreate || p.action == doReplace || p.action == doMakeFolder {
		if err := restamp(b, p.name, r.Stamps); err != nil {
			r.store.warn(err) // the bytes are on disk, and a mode that couldn't be set is the narrowest
		}
	}
	return nil
}

// stepName returns the backend's name of an agent path, taken literally: names on a disk may contain anything.
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
	if _, along := r.store.backend.(backend.Adapted); along && r.Kind == backend.KindDir && backend.IsAbsent(err) {
		return &plan{action: doNothing}, nil // it went with the last file in it
	}
	if err != nil {
		return nil, err
	}
	info.Name = path.Base(name)
	p := &plan{action: doRemove, name: name}
	before, err := r.met(name, info)
	if err != nil {
		return nil, err
	}
	switch info.Kind {
	case backend.KindDir:
		children, err := r.store.backend.ReadDir(name)
		if err != nil {
			return nil, err
		}
		if len(children) > 0 {
			return nil, backend.ErrChanged
		}
	case backend.KindFile:
		data, err := before.Bytes()
		if err != nil {
			return nil, err
		}
		p.before = []entry{{name: name, info: info, data: data}}
	}
	p.changes = []Change{{Kind: info.Kind, Path: r.Path, Before: before}}
	return p, nil
}

// met checks that what is at a name is as expected, the target of a link as the bytes of a file, and returns the bytes of a file.
func (r stepRequest) met(name string, info backend.Info) (*Content, error) {
	var bytes, expected *Content
	switch info.Kind {
	case backend.KindFile:
		bytes = r.content(name, info.Size)
		expected = bytes
	case backend.KindLink:
		expected = &Content{load: func() ([]byte, error) {
			text, err := r.store.backend.Readlink(name)
			return []byte(text), err
		}}
	}
	if r.Expect == nil {
		return bytes, nil
	}
	if expected == nil {
		return nil, backend.ErrChanged
	}
	if sum, err := expected.Digest(); err != nil || sum != *r.Expect {
		return nil, errors.Join(backend.ErrChanged, err)
	}
	return bytes, nil
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
	before, err := r.met(from, info)
	if err != nil {
		return nil, err
	}
	c := Change{Kind: info.Kind, Path: r.Path, OldPath: r.OldPath, Before: before, After: before}
	return &plan{action: doRename, name: from, dest: name, changes: []Change{c}}, nil
}

// restamp sets the stamps of what was written.
func restamp(b backend.Backend, name string, to Stamps) error {
	k, ok := b.(backend.Stamper)
	if !ok || to.Mode == 0 && to.ModTime.IsZero() {
		return nil
	}
	if err := k.Stamp(name, to); !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
