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
	// Stamps are set on a file, link or folder that is written. Zero fields: a file keeps its mode, a new entry gets the backend's, and
	// the time is that of the write.
	Stamps
}

// Apply carries out one step under the store's lock, after announcing it to the recorders, and only if the path is as expected
// ([ErrChanged], [ErrExist]). It bypasses guards: those are for the agent.
func (s *Store) Apply(ctx context.Context, st Step) error {
	r := s.stepRequest(ctx, st)
	if s.options.ReadOnly {
		return r.failed(ErrReadOnly)
	}
	unlock, err := s.backend.Lock(ctx)
	if err != nil {
		return r.failed(err)
	}
	defer unlock()
	if bad := r.carryOut(); bad != nil {
		return bad
	}
	return nil
}

// stepRequest is a step being carried out.
type stepRequest struct {
	*request
	Step
}

func (s *Store) stepRequest(ctx context.Context, st Step) stepRequest {
	r := s.request(ctx, Command{Name: st.command(), Path: st.Path, OldPath: st.OldPath, NewPath: st.Path})
	r.access = backend.Look
	return stepRequest{r, st}
}

// failed wraps the cause of a failing step.
func (r stepRequest) failed(cause error) *Error {
	return r.request.failed(target{raw: r.Path, show: r.Path}, cause)
}

// carryOut decides and carries out the step.
func (r stepRequest) carryOut() *Error {
	p, err := r.plan()
	if err != nil {
		return r.failed(err)
	}
	if p.action == doNothing {
		return nil
	}
	if err := r.follow(p); err != nil {
		return r.failed(err)
	}
	e := r.edit(p)
	end, bad := r.begin(e)
	if bad != nil {
		return bad
	}
	err = r.apply(p)
	end(err)
	if err != nil {
		return r.failed(err)
	}
	return nil
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

func (r stepRequest) apply(p *plan) error {
	b := r.store.backend
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
