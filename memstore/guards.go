package memstore

import (
	"context"
	"fmt"
	"strings"

	"memcurator/memstore/backend"
)

// amended is what guards have made of the bytes of a file, and their notes for whoever wrote it.
type amended struct {
	data  []byte
	notes []string
}

// guarded lets the guards change the bytes that an edit is about to write. The error is that of a guard.
func (r *request) guarded(before, after []byte) (amended, error) {
	a := amended{data: after}
	for _, g := range r.store.options.Guards {
		if g.Amend == nil {
			continue
		}
		got, err := g.Amend(r.ctx, r.c, before, a.data)
		if err != nil {
			return a, err
		}
		if got.Data != nil {
			a.data = got.Data
		}
		a.notes = appendNote(a.notes, got.Note)
	}
	return a, nil
}

// check shows an edit to the guards. The error is that of the guard that refuses it.
func (r *request) check(e *Edit) (notes []string, err error) {
	for _, g := range r.store.options.Guards {
		if g.Check == nil {
			continue
		}
		note, err := g.Check(r.ctx, e)
		if err != nil {
			return nil, err
		}
		notes = appendNote(notes, note)
	}
	return notes, nil
}

func appendNote(notes []string, note string) []string {
	if note == "" {
		return notes
	}
	return append(notes, oneLine(note))
}

// oneLine joins a guard's message into the single line allowed for it.
func oneLine(s string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(s)
}

// ownLines are notes as they follow the text of a result.
func ownLines(notes []string) (text string) {
	for _, note := range notes {
		text += "\n" + note
	}
	return text
}

// amend lets the guards, and then the form that the backend keeps, change the bytes that an edit is about to write.
func (r *request) amend(t target, before, after []byte) (amended, *Error) {
	a, err := r.guarded(before, after)
	if err != nil {
		return a, r.refused(err)
	}
	if f, ok := r.store.backend.(backend.Adapted); ok {
		if a.data, err = f.Form(t.name, a.data); err != nil {
			return a, r.failed(t, err)
		}
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
	var a amended
	if st.Kind == backend.KindFile && !st.Remove && st.OldPath == "" {
		var before []byte
		if st.Expect != nil {
			before = p.old
		}
		if a, err = r.guarded(before, st.Data); err != nil {
			return st, "", fmt.Errorf("%w: %w", ErrRefused, err)
		}
		st.Data = a.data
		for i := range p.changes {
			if p.changes[i].After != nil {
				p.changes[i].After = NewContent(st.Data)
			}
		}
	}
	more, err := r.check(r.edit(p))
	if err != nil {
		return st, "", fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return st, strings.Join(append(a.notes, more...), "; "), nil
}
