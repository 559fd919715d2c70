package undo

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/diff"
	"memcurator/render/text"
)

// Trail is what [RevertedSince] reads of a record.
type Trail interface {
	Revision(ctx context.Context, rev int64) (past.Revision, error)
	Forward(ctx context.Context, r past.Revision, without map[int64]bool) (string, error)
	History(ctx context.Context, agentPath string, visit func(past.Revision) bool) error
	Bytes(ctx context.Context, s past.Side) ([]byte, error)
}

// Reverted is how much of a change was reverted since.
type Reverted struct {
	By int64 // the revision in force that reverted all of it; 0: none
	// Hunks are those of an edit, as diff.Blocks splits it: of each the revision that reverted it, 0 where it is in force. Nil: none
	// was, or By is set.
	Hunks []int64
}

// Of is the revision that reverted all of the change or, where numbers are given, all of these hunks; 0: there is none.
func (r Reverted) Of(numbers ...int) (by int64) {
	if r.By != 0 || len(r.Hunks) == 0 {
		return r.By
	}
	if len(numbers) == 0 {
		for n := range r.Hunks {
			numbers = append(numbers, n)
		}
	}
	for _, n := range numbers {
		if n >= len(r.Hunks) || r.Hunks[n] == 0 {
			return 0
		}
		by = max(by, r.Hunks[n])
	}
	return by
}

// What RevertedSince looks at, at most.
const (
	revertedHunks = 100
	revertedLater = 500     // revisions
	revertedBytes = 1 << 20 // of a file
	revertedTime  = time.Second
)

// RevertedSince finds out what of a revision was reverted. A revert of hunks does not say which they were: a hunk is reverted where
// reverting it would change nothing, by the revision since which that is so.
func RevertedSince(ctx context.Context, t Trail, rev int64) (Reverted, error) {
	ctx, cancel := context.WithTimeout(ctx, revertedTime)
	defer cancel()
	r, err := t.Revision(ctx, rev)
	switch {
	case err != nil, r.UndoneBy == r.Rev: // so the journal has it that a purge left no change of
		return Reverted{}, err
	case r.UndoneBy != 0:
		return Reverted{By: r.UndoneBy}, nil
	case r.Shape != past.Edited || r.Kind != memstore.KindFile:
		return Reverted{}, nil
	}
	l := &later{trail: t, texts: map[memstore.Digest][]byte{}}
	hunks, err := l.hunks(ctx, r)
	if len(hunks) == 0 || err != nil {
		return Reverted{}, err
	}
	if err := l.read(ctx, r); len(l.list) == 0 || err != nil {
		return Reverted{}, err
	}
	var out Reverted
	for n, wanted := range hunks {
		by, err := l.reverts(ctx, wanted)
		if err != nil || ctx.Err() != nil {
			return Reverted{}, err
		}
		if by == 0 {
			continue
		}
		if out.Hunks == nil {
			out.Hunks = make([]int64, len(hunks))
		}
		if out.Hunks[n], err = l.first(ctx, by); err != nil {
			return Reverted{}, err
		}
	}
	return out, nil
}

// later are the revisions of a file after an edit.
type later struct {
	trail Trail
	base  []byte          // after the edit
	list  []past.Revision // newest first
	texts map[memstore.Digest][]byte
}

// text is one side of a revision; false: it is not there, or nothing to compare.
func (l *later) text(ctx context.Context, s past.Side) ([]byte, bool, error) {
	if !s.Exists || !s.Kept || s.Size > revertedBytes {
		return nil, false, nil
	}
	data, ok := l.texts[s.Digest]
	if !ok {
		var err error
		if data, err = l.trail.Bytes(ctx, s); err != nil {
			return nil, false, err
		}
		l.texts[s.Digest] = data
	}
	return data, !text.Binary(data), nil
}

// hunks are the texts that reverting each hunk of an edit alone would have led to.
func (l *later) hunks(ctx context.Context, r past.Revision) (list [][]byte, err error) {
	before, isText, err := l.text(ctx, r.Before)
	if err != nil || !isText {
		return nil, err
	}
	if l.base, isText, err = l.text(ctx, r.After); err != nil || !isText {
		return nil, err
	}
	blocks := diff.Blocks(diff.Lines(ctx, before, l.base, diff.Options{}))
	if len(blocks) > revertedHunks {
		return nil, nil
	}
	for n := range blocks {
		list = append(list, without(before, l.base, blocks, []int{n}))
	}
	return list, nil
}

// read reads the revisions after an edit; none, where what is at its path now is another file.
func (l *later) read(ctx context.Context, r past.Revision) error {
	at, err := l.trail.Forward(ctx, r, nil)
	if err != nil {
		return err
	}
	same := false
	err = l.trail.History(ctx, at, func(one past.Revision) bool {
		if same = one.Rev == r.Rev; !same {
			l.list = append(l.list, one)
		}
		return !same && len(l.list) < revertedLater
	})
	if !same {
		l.list = nil
	}
	return err
}

// reverts is the revision since which reverting to a text changes nothing; 0: it still would.
func (l *later) reverts(ctx context.Context, wanted []byte) (by int64, err error) {
	for _, r := range l.list {
		for i, side := range []past.Side{r.After, r.Before} {
			now, isText, err := l.text(ctx, side)
			if err != nil {
				return 0, err
			}
			if merged, conflicts := mergeTexts(ctx, l.base, now, wanted); isText && len(conflicts) == 0 && bytes.Equal(merged, now) {
				continue // it is reverted in this text
			}
			if i == 0 {
				return by, nil
			}
			return r.Rev, nil
		}
		by = r.Rev
	}
	return by, nil
}

// first is the revision that a redo did again, else the revision itself.
func (l *later) first(ctx context.Context, rev int64) (int64, error) {
	for {
		redo, err := l.trail.Revision(ctx, rev)
		if err != nil || redo.Command != "redo" || redo.Undoes == 0 {
			return rev, err
		}
		undo, err := l.trail.Revision(ctx, redo.Undoes)
		if err != nil || undo.Undoes == 0 || undo.Undoes >= rev {
			return rev, err
		}
		rev = undo.Undoes
	}
}

// NothingText says for people why a plan has no step.
func NothingText(ctx context.Context, t Trail, p *Plan) (string, error) {
	switch {
	case p.Command == "restore":
		return "Already at this version", nil
	case p.Command == "redo":
		return "Nothing to redo: these changes are in the store already", nil
	case len(p.Asked) == 0:
		return "Nothing to change", nil
	}
	already := map[string]string{"undo": "undone", "revert": "reverted"}[p.Command]
	since, err := RevertedSince(ctx, t, p.Asked[0])
	if err != nil {
		return "", err
	}
	by := ""
	if n := since.Of(p.Hunks...); n != 0 {
		by = fmt.Sprintf(" by #%d", n)
	}
	switch {
	case len(p.Asked) > 1:
		return fmt.Sprintf("These %d changes are already %s", len(p.Asked), already), nil
	case len(p.Hunks) == 1:
		return "This hunk is already " + already + by, nil
	case len(p.Hunks) > 1:
		return "These hunks are already " + already + by, nil
	}
	return fmt.Sprintf("#%d is already %s%s", p.Asked[0], already, by), nil
}
