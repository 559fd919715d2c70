package act

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/kit"
)

// beside is an act of this run that the journal does not hold: a change of the configuration, a dismissed secret. Redo doesn't reach it.
type beside struct {
	owner string
	undo  func() tea.Cmd
	// after is the newest of the user's revisions that came before it; below 0 while that is unknown: all of them did.
	after int64
}

// Beside lets undo reach an act that the journal does not hold.
func (q *Queue) Beside(owner string, undo func() tea.Cmd) tea.Cmd {
	one := &beside{owner: owner, undo: undo, after: -1}
	q.beside = append(q.beside, one)
	if q.Journal == nil {
		return nil
	}
	return Do(q, Edit[int64]{
		Label: "Saving the undo", Work: func(ctx context.Context, _ *kit.Progress) (int64, error) { return q.newestOwn(ctx), nil },
		Done: func(rev int64) tea.Cmd {
			one.after = rev
			return nil
		},
	})
}

// ForgetBeside drops the acts of an owner.
func (q *Queue) ForgetBeside(owner string) {
	q.beside = slices.DeleteFunc(q.beside, func(one *beside) bool { return one.owner == owner })
}

// newestOwn is the newest revision of the user that undo can reach; 0 without one. It does I/O.
func (q *Queue) newestOwn(ctx context.Context) int64 {
	revs, err := q.Journal.Newest(ctx, false, 0)
	if err != nil || len(revs) == 0 {
		return 0
	}
	return slices.Max(revs)
}

// WhyNoUndo says why nothing can be undone or redone, as far as that is known without looking.
func (q *Queue) WhyNoUndo() kit.Say {
	if why := q.shell.WhyPast(); why.Text != "" || q.Journal != nil || len(q.beside) > 0 {
		return why
	}
	return kit.Say{Text: cmp.Or(q.WhyUnwritable().Text, NoJournalText(q.NoJournal))}
}

// Undo undoes the last act of the user: the last group of edits, or an act beside the journal that is newer.
func (q *Queue) Undo() tea.Cmd {
	switch {
	case q.told(q.shell.WhyPast()):
		return nil
	case len(q.beside) == 0:
		return q.undoEdits()
	case q.Journal == nil || q.WhyUnwritable().Text != "": // nothing else can be undone
		return q.undoBeside()
	}
	return Do(q, Edit[int64]{ // once the edits before have finished
		Label: "Finding what to undo", Work: func(ctx context.Context, _ *kit.Progress) (int64, error) { return q.newestOwn(ctx), nil },
		Done: func(newest int64) tea.Cmd {
			if n := len(q.beside); n > 0 && (q.beside[n-1].after < 0 || newest <= q.beside[n-1].after) {
				return q.undoBeside()
			}
			return q.undoEdits()
		},
	})
}

// undoBeside undoes the newest act beside the journal.
func (q *Queue) undoBeside() tea.Cmd {
	n := len(q.beside) - 1
	one := q.beside[n]
	q.beside, q.undidBeside = q.beside[:n], true
	return one.undo()
}
