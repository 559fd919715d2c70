package memstore

import (
	"context"
	"fmt"

	"memcurator/memstore/backend"
)

// Guarded returns a step as the guards of the store leave it, with their notes. [Store.Apply] bypasses guards, since undo must restore
// what was there; bytes that the user brings from elsewhere follow the same limits, and the same rules for secrets, as those of an agent.
// It changes nothing. It fails with [ErrRefused] and the guard's own error, or as Apply would fail now.
func (s *Store) Guarded(ctx context.Context, st Step) (_ Step, notes string, err error) {
	r := s.stepRequest(ctx, st)
	end, err := r.look(Want{})
	if err != nil {
		return st, "", err
	}
	defer end()
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
