package act

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/undo"
	"memcurator/tui/kit"
)

// Beside is an act of this run that the journal does not hold: a change of the configuration, a dismissed secret.
type Beside struct {
	Owner string
	Undo  func() tea.Cmd
	Redo  func() tea.Cmd // nil: Undo only says why it can't undo
	// after is the newest of the user's revisions that came before it; below 0 while that is unknown: all of them did.
	after int64
}

// besides keeps the acts beside the journal in their order among those of the journal, for undo and redo.
type besides struct {
	done []*Beside // oldest first
	// undone are the undos of this run that redo can reverse, newest last; nil means one of the journal.
	undone []*Beside
	// newest is the user's newest revision after the last undo or redo: a later one is a new act, which ends redoing. Below 0: unknown.
	newest int64
}

// Beside lets undo and redo reach an act that the journal does not hold.
func (q *Queue) Beside(one Beside) tea.Cmd {
	one.after = -1
	q.beside.done, q.beside.undone = append(q.beside.done, &one), nil
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
	of := func(one *Beside) bool { return one != nil && one.Owner == owner }
	q.beside.done = slices.DeleteFunc(q.beside.done, of)
	q.beside.undone = slices.DeleteFunc(q.beside.undone, of)
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

// carried notes what a plan of the journal means for redo; newest is the user's newest revision after it.
func (b *besides) carried(p *undo.Plan, newest int64) {
	switch n := len(b.undone); {
	case p.Command == "undo":
		b.undone = append(b.undone, nil)
	case p.Command == "redo" && n > 0 && b.undone[n-1] == nil:
		b.undone = b.undone[:n-1]
	case p.Command != "redo":
		b.undone = nil
	}
	b.newest = newest
}

// undo undoes the newest act.
func (b *besides) undo(newest int64) tea.Cmd {
	n := len(b.done) - 1
	one := b.done[n]
	b.done, b.newest = b.done[:n], newest
	if one.Redo != nil {
		b.undone = append(b.undone, one)
	}
	return one.Undo()
}

// redo redoes the act that was undone last.
func (b *besides) redo(newest int64) tea.Cmd {
	n := len(b.undone) - 1
	one := b.undone[n]
	one.after = newest
	b.undone, b.done, b.newest = b.undone[:n], append(b.done, one), newest
	return one.Redo()
}

// Undo undoes the last act of the user: the last group of edits, or an act beside the journal that is newer.
func (q *Queue) Undo() tea.Cmd {
	switch {
	case q.told(q.shell.WhyPast()):
		return nil
	case len(q.beside.done) == 0:
		return q.undoEdits()
	case !q.writes():
		return q.beside.undo(-1)
	}
	return q.afterNewest("Finding what to undo", func(newest int64) tea.Cmd {
		n := len(q.beside.done)
		if n > 0 && (q.beside.done[n-1].after < 0 || newest <= q.beside.done[n-1].after) {
			return q.beside.undo(newest)
		}
		return q.undoEdits()
	})
}

// Redo reverses the newest undo, unless something was done since.
func (q *Queue) Redo() tea.Cmd {
	n := len(q.beside.undone)
	switch {
	case q.told(q.shell.WhyPast()):
		return nil
	case n == 0 || q.beside.undone[n-1] == nil:
		return q.redoEdits()
	case !q.writes():
		return q.beside.redo(-1)
	}
	return q.afterNewest("Finding what to redo", func(newest int64) tea.Cmd {
		b := &q.beside
		if b.newest >= 0 && newest > b.newest { // a new act
			b.undone = nil
		}
		if n := len(b.undone); n > 0 && b.undone[n-1] != nil {
			return b.redo(newest)
		}
		return q.redoEdits()
	})
}

// writes reports whether the journal may hold acts that come before those beside it, and can be used now.
func (q *Queue) writes() bool { return q.Journal != nil && q.whyReadOnly().Text == "" }

// afterNewest looks up the user's newest revision once the edits before have finished.
func (q *Queue) afterNewest(label string, done func(newest int64) tea.Cmd) tea.Cmd {
	return Do(q, Edit[int64]{
		Label: label, Done: done, Work: func(ctx context.Context, _ *kit.Progress) (int64, error) { return q.newestOwn(ctx), nil },
	})
}
