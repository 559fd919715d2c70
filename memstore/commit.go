package memstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
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
	if err := r.ripple(p); err != nil {
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

// ripple adds the files whose bytes change with a new file, a removal or a rename, before what changes them: an undo then first restores
// what they refer to.
func (r *request) ripple(p *plan) error {
	b, ok := r.store.backend.(backend.Adapted)
	if !ok || p.action != doRemove && p.action != doRename && p.action != doCreate {
		return nil
	}
	gone := map[string]bool{p.name: true}
	var made []byte
	if p.action == doCreate {
		gone, made = map[string]bool{}, append([]byte{}, p.data...)
	}
	list, err := b.Ripples(p.name, p.dest, made)
	if err != nil {
		return err
	}
	if len(list) == 0 && made != nil {
		return nil
	}
	changes := make([]Change, 0, len(list)+len(p.changes))
	for _, also := range list {
		var after *Content
		if also.After == nil {
			gone[also.Name] = true
		} else {
			after = NewContent(also.After)
		}
		changes = append(changes, Change{Kind: backend.KindFile, Path: backend.AgentPath(also.Name), Before: NewContent(also.Before),
			After: after})
		for i := range p.changes {
			if p.changes[i].OldPath == backend.AgentPath(also.Name) {
				p.changes[i].Before, p.changes[i].After = after, after
			}
		}
	}
	p.changes = append(changes, p.changes...)
	for _, folder := range r.store.emptied(gone, p.dest) {
		p.changes = append(p.changes, Change{Kind: backend.KindDir, Path: backend.AgentPath(folder)})
	}
	return nil
}

// emptied are the folders that nothing is in once some names are gone and another one is there, each before the folder that it is in.
func (s *Store) emptied(gone map[string]bool, there string) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(gone)) {
		for gone[name] {
			if name = path.Dir(name); name == "." || gone[name] || backend.IsBelow(there, name) {
				break
			}
			entries, err := s.backend.ReadDir(name)
			if err != nil || slices.ContainsFunc(entries, func(i backend.Info) bool { return !gone[backend.JoinName(name, i.Name)] }) {
				break
			}
			gone[name] = true
			list = append(list, name)
		}
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
