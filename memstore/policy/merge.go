package policy

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"memcurator/memstore/journal"
	"memcurator/memstore/past"
)

// What is read of the past of a note to learn which lines it had once.
const (
	removalRevisions = 500
	removalBytes     = 16 << 20
)

// removedFrom finds the lines that the note at newer had once and that were removed from it after older got them, if it did: a merge
// that added them again would bring back what someone replaced or deleted. A nil journal has none.
func removedFrom(ctx context.Context, j *journal.Journal, older, newer string) (func(line []byte) bool, error) {
	if j == nil {
		return nil, nil
	}
	removed := map[string]int64{} // the newest revision that removed the line
	var present map[string]bool   // the lines that it has now
	seen, size, failed := 0, int64(0), error(nil)
	read := func(s past.Side) map[string]bool {
		if failed != nil || !s.Exists || !s.Kept {
			return nil
		}
		size += s.Size
		data, err := j.Bytes(ctx, s)
		if err != nil && !errors.Is(err, past.ErrNotKept) {
			failed = err
		}
		return lineSet(data)
	}
	err := j.List(ctx, past.Filter{Path: newer, Follow: true, Newest: true}, func(r past.Revision) bool {
		if present == nil {
			present = read(r.After)
		}
		if after := read(r.After); after != nil && removes(&r) {
			for line := range read(r.Before) {
				if !after[line] && !present[line] && removed[line] == 0 {
					removed[line] = r.Rev
				}
			}
		}
		seen++
		return failed == nil && seen < removalRevisions && size < removalBytes
	})
	if err = errors.Join(err, failed); err != nil || len(removed) == 0 {
		return nil, err
	}
	blame, err := j.Blame(ctx, older, 0)
	switch {
	case errors.Is(err, past.ErrNotThere), errors.Is(err, past.ErrNotKept):
		return nil, nil
	case err != nil:
		return nil, err
	}
	for _, line := range blame.Lines {
		if one := lineKey(line.Text); line.Rev > removed[one] {
			delete(removed, one) // it was written there afterwards
		}
	}
	return func(line []byte) bool { return removed[lineKey(line)] > 0 }, nil
}

// rewriting are the commands of the curator after which a line is missing that stays in force elsewhere: those that return to an
// earlier text, and those that move lines from note to note.
var rewriting = []string{"undo", "redo", "revert", "restore", string(Merge), string(Link), string(Fix)}

// removes reports whether the lines that an edit removed were removed for their content.
func removes(r *past.Revision) bool {
	return r.Shape == past.Edited && r.Undoes == 0 && r.UndoneBy == 0 && !slices.Contains(rewriting, r.Command)
}

// lineKey is a line without its end and blanks around it.
func lineKey(line []byte) string { return string(bytes.TrimSpace(line)) }

// lineSet are the lines of a text that are not blank.
func lineSet(data []byte) map[string]bool {
	set := map[string]bool{}
	for line := range bytes.Lines(data) {
		if key := lineKey(line); key != "" {
			set[key] = true
		}
	}
	return set
}
