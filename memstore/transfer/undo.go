package transfer

import (
	"bytes"
	"context"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/diff"
	"memcurator/render/text"
)

// Resolve decides a conflict between two texts: text goes to the destination.
func (i *Item) Resolve(text []byte) {
	i.text, i.Why, i.Arrives = text, "", memstore.Sum(text)
	if i.Act = Replace; i.There != nil && *i.There == i.Arrives {
		i.Act = Same
	}
}

// Parts are two texts in pieces, in order: what they share, and each difference as a conflict to be decided.
func Parts(ctx context.Context, there, here []byte) (parts []undo.Part) {
	a, b := bytes.SplitAfter(there, []byte{'\n'}), bytes.SplitAfter(here, []byte{'\n'})
	for _, op := range diff.Lines(ctx, there, here, diff.Options{}).Ops {
		ours := bytes.Join(a[op.AStart:op.AEnd], nil)
		switch {
		case op.Kind == diff.Equal:
			parts = append(parts, undo.Part{Text: ours})
		case len(parts) > 0 && parts[len(parts)-1].Conflict: // removed lines and the added ones that take their place
			last := &parts[len(parts)-1]
			last.Ours = append(last.Ours, ours...)
			last.Theirs = append(last.Theirs, bytes.Join(b[op.BStart:op.BEnd], nil)...)
		default:
			parts = append(parts, undo.Part{Conflict: true, Ours: ours, Theirs: bytes.Join(b[op.BStart:op.BEnd], nil)})
		}
	}
	return parts
}

// flush writes what the journal of a store holds back.
func flush(p *Place) {
	if j, ok := p.Record.(interface{ Flush() }); ok {
		j.Flush()
	}
}

// newest are the user's newest revisions in a store, which are those of the group that was just carried out.
func newest(ctx context.Context, p *Place) []int64 {
	flush(p)
	revs, err := p.Record.Newest(context.WithoutCancel(ctx), false)
	if err != nil {
		return nil // the act itself is recorded
	}
	return revs
}

// Undo undoes what a run did, by its revisions in the source and in the destination. What was edited later at the destination
// stays there, and left says so: the source has its files again. Another conflict with later edits is [Elsewhere], and changes nothing.
func (t *Transfer) Undo(ctx context.Context, revisions [2][]int64) (left string, err error) {
	var plans [2]*undo.Plan
	var editors [2]*undo.Editor
	for n, at := range []*Place{&t.From, &t.To} {
		if len(revisions[n]) == 0 {
			continue
		}
		editors[n] = at.editor()
		if plans[n], err = editors[n].PlanRevert(ctx, revisions[n]...); err != nil {
			return "", err
		}
		if len(plans[n].Conflicts) == 0 {
			continue
		}
		c := plans[n].Conflicts[0]
		said := memstore.BackendName(c.Path) + " in " + at.Title + " " + c.Text()
		if n == 0 || t.From.Store == nil {
			return "", &Elsewhere{text.Clean(said + ". Nothing changed. Rename it there, then undo again"), past.ErrConflict}
		}
		left, plans[n].Conflicts = text.Clean(stays(said, len(plans[n].Conflicts))), nil
	}
	for n, plan := range plans { // the source gets its notes first
		if plan == nil {
			continue
		}
		if _, err := editors[n].Carry(ctx, plan); err != nil {
			return left, err
		}
	}
	return left, nil
}
