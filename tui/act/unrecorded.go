package act

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/kit"
)

// unrecorded is an act of this run that the journal does not hold: a change of the configuration, a dismissed secret.
type unrecorded struct {
	owner      string
	undo, redo func() tea.Cmd
	// after is the user's newest edit that came before the act; below 0 while that is unknown: all of them did.
	after int64
	// undone is the newest undo of an edit that came before that of the act.
	undone int64
}

// AddUnrecorded lets undo and redo reach an act that the journal does not hold.
func (q *Queue) AddUnrecorded(owner string, undo, redo func() tea.Cmd) tea.Cmd {
	q.undone = nil
	return q.placeUnrecorded(&unrecorded{owner: owner, undo: undo, redo: redo})
}

// placeUnrecorded makes an act the newest that undo reaches.
func (q *Queue) placeUnrecorded(one *unrecorded) tea.Cmd {
	one.after = -1
	q.unrecorded = append(q.unrecorded, one)
	if q.Journal == nil {
		return nil
	}
	return Do(q, Edit[int64]{
		Label: "Saving the undo", Work: func(ctx context.Context, _ *kit.Progress) (int64, error) { return q.newestOwn(ctx, false), nil },
		Done: func(rev int64) tea.Cmd {
			one.after = rev
			return nil
		},
	})
}

// ForgetUnrecorded drops the acts of an owner.
func (q *Queue) ForgetUnrecorded(owner string) {
	isOwned := func(one *unrecorded) bool { return one.owner == owner }
	q.unrecorded, q.undone = slices.DeleteFunc(q.unrecorded, isOwned), slices.DeleteFunc(q.undone, isOwned)
}

// newestOwn is the newest revision of the user that undo, or redo, can reach; 0 without one. It does I/O.
func (q *Queue) newestOwn(ctx context.Context, redo bool) int64 {
	revs, err := q.Journal.Newest(ctx, redo, 0)
	if err != nil || len(revs) == 0 {
		return 0
	}
	return slices.Max(revs)
}

// WhyNoUndo says why nothing can be undone or redone, as far as that is known without looking.
func (q *Queue) WhyNoUndo() kit.Say {
	if why := q.shell.WhyPast(); why.Text != "" || q.Journal != nil || len(q.unrecorded)+len(q.undone) > 0 {
		return why
	}
	return kit.Say{Text: cmp.Or(q.WhyUnwritable().Text, NoJournalText(q.NoJournal))}
}

// Undo undoes the last act of the user: the last group of edits, or an unrecorded act that is newer.
func (q *Queue) Undo() tea.Cmd {
	switch {
	case q.told(q.shell.WhyPast()):
		return nil
	case len(q.unrecorded) == 0:
		return q.undoEdits()
	case q.Journal == nil || q.WhyUnwritable().Text != "": // nothing else can be undone
		return q.undoUnrecorded()
	}
	return Do(q, Edit[int64]{ // once the edits before have finished
		Label: "Finding what to undo", Work: func(ctx context.Context, _ *kit.Progress) (int64, error) { return q.newestOwn(ctx, false), nil },
		Done: func(newest int64) tea.Cmd {
			if n := len(q.unrecorded); n > 0 && (q.unrecorded[n-1].after < 0 || newest <= q.unrecorded[n-1].after) {
				return q.undoUnrecorded()
			}
			return q.undoEdits()
		},
	})
}

// undoUnrecorded undoes the newest unrecorded act.
func (q *Queue) undoUnrecorded() tea.Cmd {
	n := len(q.unrecorded) - 1
	one := q.unrecorded[n]
	q.unrecorded, q.undone = q.unrecorded[:n], append(q.undone, one)
	if q.Journal == nil {
		return one.undo()
	}
	return Do(q, Edit[int64]{
		Label: "Saving the redo", Work: func(ctx context.Context, _ *kit.Progress) (int64, error) { return q.newestOwn(ctx, true), nil },
		Done: func(undone int64) tea.Cmd {
			one.undone = undone
			return one.undo()
		},
	})
}

// Redo reverses the newest undo, of an edit or of an unrecorded act, unless something was done since.
func (q *Queue) Redo() tea.Cmd {
	switch {
	case q.told(q.shell.WhyPast()):
		return nil
	case len(q.undone) == 0:
		return q.redoEdits()
	case q.Journal == nil || q.WhyUnwritable().Text != "": // nothing else can be redone
		return q.redoUnrecorded()
	}
	type newest struct{ edit, undone int64 }
	return Do(q, Edit[newest]{
		Label: "Finding what to redo",
		Work: func(ctx context.Context, _ *kit.Progress) (newest, error) {
			return newest{q.newestOwn(ctx, false), q.newestOwn(ctx, true)}, nil
		},
		Done: func(now newest) tea.Cmd {
			last := q.undone[len(q.undone)-1]
			switch {
			case last.after >= 0 && now.edit > last.after: // an edit came after it was undone
				q.undone = nil
				return q.redoEdits()
			case now.undone > last.undone:
				return q.redoEdits()
			}
			return q.redoUnrecorded()
		},
	})
}

// redoUnrecorded redoes the unrecorded act that was undone last.
func (q *Queue) redoUnrecorded() tea.Cmd {
	n := len(q.undone) - 1
	one := q.undone[n]
	q.undone = q.undone[:n]
	return tea.Batch(one.redo(), q.placeUnrecorded(one))
}
