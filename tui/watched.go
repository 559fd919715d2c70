package tui

import (
	"context"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/past"
	"memcurator/memstore/watch"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// updateMsg is an update of the watch.
type updateMsg watch.Update

// waitForUpdate delivers the next update; the caller repeats it after each.
func waitForUpdate(w *watch.Watcher) tea.Cmd {
	return func() tea.Msg {
		select {
		case u := <-w.Updates():
			return updateMsg(u)
		case <-w.Done():
			return nil
		}
	}
}

// takeUpdate refreshes everything that shows the store. Changes, and their actors, come with the news of the record. The first update of
// the whole store begins the comparison of the journal with it, not earlier: both read the whole store the first time.
func (m *Model) takeUpdate(u updateMsg) tea.Cmd {
	m.tellWatched(u)
	change := kit.TreeChange{
		Loading: u.State == watch.Loading,
		Tree:    m.store.Snapshot == nil || u.Snapshot.Root != m.store.Snapshot.Root,
		Back:    m.store.Watched == watch.Unavailable && u.State != watch.Unavailable,
	}
	m.store.Snapshot, m.store.Watched, m.watchNote = u.Snapshot, u.State, u.Note
	var cmds []tea.Cmd
	if !change.Loading && !m.compared {
		m.compared = true
		cmds = append(cmds, m.compare())
	}
	for _, screen := range m.stage.opened() {
		if watcher, ok := screen.(kit.TreeWatcher); ok {
			cmds = append(cmds, watcher.TreeChanged(change))
		}
	}
	m.alarm.check()
	return tea.Batch(append(cmds, m.goToWritten())...)
}

// tellWatched tells the user when the watch becomes more or less reliable. Without a store that is of no interest.
func (m *Model) tellWatched(u updateMsg) {
	was := m.store.Watched
	switch {
	case u.State == was, u.State == watch.Unavailable: // the banner says so
	case was == watch.Unavailable:
		m.say.hide() // what was refused meanwhile is possible
		m.boxes.Keep(func(o kit.Overlay) bool { return o.Title() != textRecreate })
		m.say.report(kit.Info, "The folder is back")
	case m.options.Unlinked || u.Note == "":
	case u.State == watch.Polling:
		m.say.report(kit.Info, u.Note)
	}
}

// settled reports whether a store that had lost its files has some again, or their loss was recorded.
func (m *Model) settled() bool {
	tree := m.store.Snapshot
	return tree != nil && tree.Root != nil && tree.Root.Files > 0 || len(m.feed.Revisions()) > 0
}

// comparison is the outcome of comparing the journal with the disk.
type comparison struct {
	made int   // revisions
	last int64 // the newest one then
}

// compare records what happened while the program was not running. A store that is seen for the first time is read whole.
func (m *Model) compare() tea.Cmd {
	if m.options.Emptied != "" || m.options.Unlinked {
		m.feed.Compared(0) // all that is recorded from now on is news
		return nil
	}
	j, tree, wait := m.options.Journal, m.store.Snapshot, m.env.Debounce
	if m.store.Watched != watch.Live && m.store.Watched != watch.Polling {
		tree = nil
	}
	return kit.Start(m.env.Jobs, kit.Job[comparison]{
		Owner: act.OwnerCompare, Label: kit.LabelCompare, Done: m.comparedWith,
		Work: func(ctx context.Context, progress *kit.Progress) (c comparison, err error) {
			// The first keys go before it: to read a store for the first time takes a processor.
			if err := kit.Debounce(ctx, wait); err != nil {
				return c, err
			}
			files := 0
			c.made, err = j.Sync(ctx, past.Hints{Tree: tree, Unseen: true, Report: func(done, all int) {
				files = all
				progress.Set(int64(done), int64(all))
			}})
			if err != nil {
				return c, err
			}
			if files > freeFrom {
				debug.FreeOSMemory() // of what was read
			}
			c.last, err = j.Last(ctx)
			return c, err
		},
	})
}

// freeFrom is how many files leave enough behind for the system to get it back at once.
const freeFrom = 10_000

// comparedWith reports what the comparison found.
func (m *Model) comparedWith(c comparison) tea.Cmd {
	if c.made > 0 {
		m.say.report(kit.Info, m.env.Keyed(kit.Count(c.made, "change")+" made while memcurator was closed. {global/changes} shows more"))
	}
	m.feed.Compared(c.last)
	return tea.Batch(m.curate.Replan(), m.browse.Summary.Changed())
}
