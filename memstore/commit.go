package memstore

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"memcurator/memstore/backend"
)

// maxTries is how often a write is decided again while other programs keep changing its file.
const maxTries = 5

// run runs a write command: decide, ask the guards, tell the recorders, carry out. Each try holds the lock among our own writers.
func (r *request) run() Result {
	if bad := r.allowed(); bad != nil {
		return bad.result()
	}
	for try := 1; ; try++ {
		result, err := r.attempt()
		if err == nil {
			return result
		}
		if try == maxTries || !outdated(err) {
			return r.failedApply(err).result()
		}
	}
}

// allowed makes the checks that don't need the store.
func (r *request) allowed() *Error {
	if bad := r.paths(); bad != nil {
		return bad
	}
	if r.store.options.ReadOnly {
		return r.failed(r.firstTarget(), ErrReadOnly)
	}
	return nil
}

func (r *request) firstTarget() target {
	if r.c.Name == CmdRename {
		return r.target(r.c.OldPath)
	}
	return r.target(r.c.Path)
}

// decide makes the plan and has the guards check it. A preview shows, and an
// attempt carries out, exactly what it returns.
func (r *request) decide() (*plan, *Edit, *Error) {
	p, bad := r.plan()
	if bad != nil {
		return nil, nil, bad
	}
	if err := r.follow(p); err != nil {
		return nil, nil, r.failed(r.firstTarget(), err)
	}
	e := r.edit(p)
	notes, err := r.check(e)
	if err != nil {
		return nil, nil, r.refused(err)
	}
	p.success += ownLines(notes)
	return p, e, nil
}

func (r *request) refused(why error) *Error {
	text := strings.TrimPrefix(oneLine(why.Error()), "Error: ")
	return saying(r.c.Name, r.firstTarget(), fmt.Errorf("%w: %w", ErrRefused, why), fill(r.store.rules.refused, "why", text))
}

// follow adds what else changes with a removal or a rename in the memory of another program: the text of a renamed record, before its rename,
// and folders, which are there as long as something is in them.
func (r *request) follow(p *plan) error {
	b, ok := r.store.backend.(backend.Adapted)
	if !ok || p.action != doRemove && p.action != doRename {
		return nil
	}
	if p.action == doRename {
		after, err := b.Renamed(p.name, p.dest)
		if err != nil {
			return err
		}
		if after != nil {
			if err := p.rewrite(after); err != nil {
				return err
			}
		}
	}
	for _, folder := range r.store.emptied(p.name, p.dest) {
		p.changes = append(p.changes, Change{Kind: backend.KindDir, Path: backend.AgentPath(folder)})
	}
	return nil
}

// rewrite puts a change of the text of a file before its rename, unless the text stays.
func (p *plan) rewrite(text []byte) error {
	moved := &p.changes[0]
	was, err := moved.Before.Digest()
	if err != nil || was == Sum(text) {
		return err
	}
	after := NewContent(text)
	edited := Change{Kind: backend.KindFile, Path: moved.OldPath, Before: moved.Before, After: after}
	moved.Before, moved.After = after, after
	p.changes = slices.Insert(p.changes, 0, edited)
	return nil
}

// emptied are the folders that nothing is in once a name is gone and another one is there, each before the folder that it is in.
func (s *Store) emptied(gone, there string) (list []string) {
	for above := path.Dir(gone); above != "." && !backend.IsBelow(there, above); above = path.Dir(above) {
		if entries, err := s.backend.ReadDir(above); err != nil || len(entries) > 1 {
			break
		}
		list = append(list, above)
	}
	return list
}

// edit is the plan as recorders and guards see it.
func (r *request) edit(p *plan) *Edit {
	return &Edit{Command: r.c, Origin: r.origin, Time: r.at, Changes: p.changes}
}

// attempt decides and carries out once. The error is one of carrying out; a
// refusal by the decision is a result.
func (r *request) attempt() (Result, error) {
	unlock, err := r.store.backend.Lock(r.ctx)
	if err != nil {
		return Result{}, err
	}
	defer unlock()
	p, e, bad := r.decide()
	if bad != nil {
		return bad.result(), nil
	}
	if p.action == doNothing {
		return Result{Content: p.success}, nil
	}
	end, bad := r.begin(e)
	if bad != nil {
		return bad.result(), nil
	}
	err = r.apply(p)
	end(err)
	if err != nil {
		return Result{}, err
	}
	return Result{Content: p.success}, nil
}

// begin announces the edit to the recorders. end reports the outcome to those
// that recorded it, in reverse order.
func (r *request) begin(e *Edit) (end func(error), bad *Error) {
	var ends []func(error)
	end = func(err error) {
		for i := len(ends) - 1; i >= 0; i-- {
			ends[i](err)
		}
	}
	for _, rec := range r.store.options.Recorders {
		done, err := rec.Begin(r.ctx, e)
		switch {
		case err == nil && done != nil:
			ends = append(ends, done)
		case err != nil && r.origin.Actor == Curator:
			// A curator's change must be undoable.
			cause := fmt.Errorf("%w: %w", ErrNotRecorded, err)
			end(cause)
			return nil, r.failed(r.firstTarget(), cause)
		case err != nil:
			// An agent's work goes on; the recorder finds the change on disk later.
			r.store.warn(fmt.Errorf("%s %s was not recorded: %w", r.c.Name, r.firstTarget().show, err))
		}
	}
	return end, nil
}

// apply carries out a plan. It makes no decisions.
func (r *request) apply(p *plan) error {
	b := r.store.backend
	switch p.action {
	case doCreate:
		return b.Create(p.name, p.data)
	case doReplace:
		return b.Replace(p.name, p.old, p.data)
	case doRemove:
		if err := r.unchanged(p); err != nil {
			return err
		}
		return b.Remove(p.name)
	case doMakeFolder:
		return backend.MakeFolder(b, p.name)
	case doRename:
		return b.Rename(p.name, p.dest)
	}
	return nil
}

// outdated reports whether an error means that the store has changed since the decision.
func outdated(err error) bool {
	for _, sign := range []error{backend.ErrChanged, backend.ErrNotExist, backend.ErrExist, backend.ErrNotDir, backend.ErrIsDir} {
		if errors.Is(err, sign) {
			return true
		}
	}
	return false
}

// failedApply words a failure to carry out the plan.
func (r *request) failedApply(err error) *Error {
	t := r.firstTarget()
	if r.c.Name == CmdRename && errors.Is(err, backend.ErrExist) {
		t = r.target(r.c.NewPath)
	}
	return r.failed(t, err)
}

// Preview returns what a command would return now and what it would change. It writes nothing, doesn't wait for other writers, tells no
// recorder, and reads without leaving a trace. The Edit is nil for a view and for a command that would fail. Guards amend and check as for
// a real command, but not under the lock. Large contents in the Edit are read on demand and may have changed by then.
func (s *Store) Preview(ctx context.Context, c Command) (Result, *Edit) {
	if err := checkCommand(c); err != nil {
		return s.failed(c, err).result(), nil
	}
	if c.Name == CmdView {
		return s.rendered(ctx, c, backend.Look), nil
	}
	r := s.request(ctx, c)
	r.access = backend.Look
	if bad := r.allowed(); bad != nil {
		return bad.result(), nil
	}
	p, e, bad := r.decide()
	if bad != nil {
		return bad.result(), nil
	}
	return Result{Content: p.success}, e
}
