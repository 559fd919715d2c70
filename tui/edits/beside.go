package edits

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/ui"
)

// beside is an act of this run that the journal does not hold: a change of the configuration, a dismissed secret.
type beside struct {
	owner string
	undo  func() tea.Cmd
	// after is the newest of the user's revisions that came before it; -1 while that is not known: all of them did.
	after int64
}

// Beside lets undo reach an act that the journal does not hold, in its place among those of the journal.
func (q *Queue) Beside(owner string, undo func() tea.Cmd) tea.Cmd {
	act := &beside{owner, undo, -1}
	q.besides = append(q.besides, act)
	if q.Journal == nil {
		return nil
	}
	return Do(q, Edit[int64]{
		Label: "Saving the undo", Work: func(ctx context.Context, _ *ui.Progress) (int64, error) { return q.newestOwn(ctx), nil },
		Done: func(rev int64) tea.Cmd {
			act.after = rev
			return nil
		},
	})
}

// ForgetBeside drops the acts of an owner.
func (q *Queue) ForgetBeside(owner string) {
	kept := q.besides[:0:0]
	for _, act := range q.besides {
		if act.owner != owner {
			kept = append(kept, act)
		}
	}
	q.besides = kept
}

// newestOwn is the newest revision of the user that undo can reach; 0 without one. It does I/O.
func (q *Queue) newestOwn(ctx context.Context) int64 {
	q.Journal.Flush()
	revs, err := q.Journal.Newest(ctx, false)
	if err != nil || len(revs) == 0 {
		return 0
	}
	return slices.Max(revs)
}

// lastBeside is the newest act beside the journal; nil: there is none.
func (q *Queue) lastBeside() *beside {
	if n := len(q.besides); n > 0 {
		return q.besides[n-1]
	}
	return nil
}

// undoBeside undoes an act beside the journal.
func (q *Queue) undoBeside(act *beside) tea.Cmd {
	for i := range q.besides {
		if q.besides[i] == act {
			q.besides = append(q.besides[:i:i], q.besides[i+1:]...)
			return act.undo()
		}
	}
	return nil // an undo before this one was its
}

// Undo undoes the last act of the user: the last group of edits, or an act beside the journal that is newer.
func (q *Queue) Undo() tea.Cmd {
	act := q.lastBeside()
	switch {
	case act == nil:
		return q.undoEdits()
	case q.Journal == nil, q.WhyNoWrite().Text != "":
		return q.undoBeside(act)
	}
	return Do(q, Edit[bool]{
		Label: "Finding what to undo",
		Work: func(ctx context.Context, _ *ui.Progress) (bool, error) {
			return act.after < 0 || q.newestOwn(ctx) <= act.after, nil
		},
		Done: func(newer bool) tea.Cmd {
			if newer {
				return q.undoBeside(act)
			}
			return q.undoEdits()
		},
	})
}
