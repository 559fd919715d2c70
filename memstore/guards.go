package memstore

import (
	"context"
	"fmt"

	"memcurator/memstore/backend"
)

// amended is the outcome of the Amend guards: the new bytes of the file, and their notes for the agent.
type amended struct {
	data  []byte
	notes string // each on its own line, preceded by a newline
}

// amend lets the guards, and then the form that the backend keeps, change the bytes that an edit is about to write.
func (r *request) amend(t target, before, after []byte) (amended, *Error) {
	a := amended{data: after}
	for _, g := range r.store.options.Guards {
		if g.Amend == nil {
			continue
		}
		got, err := g.Amend(r.ctx, r.c, before, a.data)
		if err != nil {
			return a, r.refused(err)
		}
		if got.Data != nil {
			a.data = got.Data
		}
		if got.Note != "" {
			a.notes += "\n" + oneLine(got.Note)
		}
	}
	if f, ok := r.store.backend.(backend.Adapted); ok {
		data, err := f.Form(t.name, a.data)
		if err != nil {
			return a, r.failed(t, err)
		}
		a.data = data
	}
	return a, nil
}

// recall returns old_str as the file has it now, in case a guard changed it when it was written.
func (r *request) recall(text []byte) string {
	c := r.c
	for _, g := range r.store.options.Guards {
		if g.Recall != nil {
			c.OldStr = g.Recall(r.ctx, c, text)
		}
	}
	return c.OldStr
}

// movedTo maps the offset at in old to changed, the text made from it. It relies on what the two have in common before the offset, or
// else after it.
func movedTo(old, changed []byte, at int) int {
	same := 0
	for same < at && same < len(changed) && old[same] == changed[same] {
		same++
	}
	if same == at {
		return at
	}
	tail := 0
	for tail < len(old)-at && tail < len(changed) && old[len(old)-1-tail] == changed[len(changed)-1-tail] {
		tail++
	}
	if tail == len(old)-at {
		return len(changed) - tail
	}
	return same
}

// Guarded returns a step as the guards of the store leave it, with their notes. [Store.Apply] bypasses guards, since undo must restore
// what was there; bytes that the user brings from elsewhere follow the same limits, and the same rules for secrets, as those of an agent.
// It changes nothing. It fails with [ErrRefused] and the guard's own error, or as Apply would fail now.
func (s *Store) Guarded(ctx context.Context, st Step) (_ Step, notes string, err error) {
	r := s.stepRequest(ctx, st)
	p, err := r.plan()
	if err != nil {
		return st, "", err
	}
	if st.Kind == backend.KindFile && !st.Remove && st.OldPath == "" {
		var before []byte
		if st.Expect != nil {
			before = p.old
		}
		for _, g := range s.options.Guards {
			if g.Amend == nil {
				continue
			}
			a, err := g.Amend(r.ctx, r.c, before, st.Data)
			if err != nil {
				return st, "", fmt.Errorf("%w: %w", ErrRefused, err)
			}
			if a.Data != nil {
				st.Data = a.Data
			}
			notes = joinNotes(notes, a.Note)
		}
		for i := range p.changes {
			if p.changes[i].After != nil {
				p.changes[i].After = NewContent(st.Data)
			}
		}
	}
	e := r.edit(p)
	for _, g := range s.options.Guards {
		if !g.checks() {
			continue
		}
		note, err := g.Check(r.ctx, e)
		if err != nil {
			return st, "", fmt.Errorf("%w: %w", ErrRefused, err)
		}
		notes = joinNotes(notes, note)
	}
	return st, notes, nil
}

func joinNotes(notes, note string) string {
	if note = oneLine(note); notes == "" || note == "" {
		return notes + note
	}
	return notes + "; " + note
}
