package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/journal"
	"memcurator/memstore/watch"
	"memcurator/tui/ui"
)

// ownerCompare names the job that compares the journal with the disk.
const (
	ownerCompare = "compare"
	labelCompare = "comparing the journal with the disk"
)

// comparison is the outcome of comparing the journal with the disk.
type comparison struct {
	journal.Progress
	last int64 // the newest revision then
}

// compareJournal records what happened while nobody watched; a store that is seen for the
// first time is read whole.
func (m *Model) compareJournal() tea.Cmd {
	j := m.options.Journal
	if m.options.Emptied != "" || m.options.Unlinked {
		return nil
	}
	tree := m.disk.snapshot
	if m.disk.state != watch.Live && m.disk.state != watch.Polling {
		tree = nil
	}
	linger := m.env.Debounce
	work := func(ctx context.Context, progress *ui.Progress) (c comparison, err error) {
		// The first keys go before it: to read a store for the first time takes a processor.
		if err := ui.Debounce(ctx, linger); err != nil {
			return c, err
		}
		defer giveBack() // what is known of the store, and what was read
		c.Progress, err = j.ReconcileTree(ctx, tree, func(p journal.Progress) { progress.Set(int64(p.Done), int64(p.Files)) })
		if err != nil {
			return c, err
		}
		c.last, err = j.Last(ctx)
		return c, err
	}
	return ui.Start(m.env.Jobs, ui.Job[comparison]{Owner: ownerCompare, Label: labelCompare, Work: work, Done: m.compared})
}

// compared says what the comparison found, and what it had to leave out.
func (m *Model) compared(c comparison) tea.Cmd {
	m.feed.Compared(c.last)
	if c.LeftOut > 0 && m.kept() != nil {
		m.tell(ui.Info, leftOutText(c.LeftOut))
	}
	if c.Revisions > 0 {
		m.tell(ui.Info, m.env.Keyed(whileAwayText(c.Revisions)))
	}
	return m.curate.Replan()
}

// whileAwayText says what the comparison with the disk has found.
func whileAwayText(n int) string {
	return ui.Count(n, "change") + " made while nobody watched: {global/changes} shows " + map[bool]string{true: "it", false: "them"}[n == 1]
}

// leftOutText says what the journal could not keep.
func leftOutText(n int) string {
	return "the bytes of " + ui.Count(n, "file") + " are too large for the journal: their first change cannot be taken back"
}
