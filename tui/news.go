package tui

import (
	"context"
	"maps"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/past"
	"memcurator/tui/changes"
	"memcurator/tui/diffpane"
	"memcurator/tui/feed"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// ownerMarks names the jobs that pass marks on to the journal.
const ownerMarks = "marks"

// takeNews brings whatever shows revisions up to date.
func (m *Model) takeNews(msg feed.Message) tea.Cmd {
	news, next := m.feed.Take(msg)
	cmds := []tea.Cmd{next}
	if news.Err != nil {
		m.options.Log.Warn("the journal cannot be followed", "error", news.Err)
	}
	if news.Purges > 0 {
		cmds = append(cmds, m.purgedElsewhere(news.Purges))
	}
	if h := m.feed.Health(); news.Health && h.Level == past.Damaged {
		cmds = append(cmds, m.showDamage(h.Note))
	}
	if news.Reset {
		cmds = append(cmds, m.forgetShown())
	}
	if news.Unread {
		m.unreadChanged()
	}
	list := news.Revisions
	if len(list) == 0 && !news.Flags && !news.Reset {
		return tea.Batch(cmds...)
	}
	m.stale[tabBlame] = true
	for _, l := range m.openLists() {
		switch {
		case news.Reset:
			cmds = append(cmds, l.Anew())
		case news.Flags:
			cmds = append(cmds, l.Reread())
		default:
			cmds = append(cmds, l.Refresh())
		}
	}
	if len(list) > 0 {
		m.strip.SetChanges(m.feed.Revisions())
		cmds = append(cmds, m.curate.Replan(), m.goAlong(list))
	}
	return tea.Batch(cmds...)
}

// goAlong takes what is on the screen along with what was done to the store.
func (m *Model) goAlong(list []past.Revision) tea.Cmd {
	if m.travel != nil {
		m.travel.missed = append(m.travel.missed, list...)
		return nil
	}
	m.tree.Changed(list)
	m.found.Changed(list)
	for _, r := range list {
		if r.OldPath != "" {
			m.renames = append(m.renames, r)
		}
	}
	cmds := []tea.Cmd{m.followRenames(true), m.tellForm(list)}
	path := m.viewer.Path()
	if m.pinned.pair != nil {
		cmds = append(cmds, m.refreshPair(list))
	} else if m.pinned.nothing() {
		cmds = append(cmds, m.showLastChange(path))
	}
	if path != "" && m.shown().Find(path) == nil && m.wasRemoved(path) {
		cmds = append(cmds, m.leaveGone())
	}
	if since := m.feed.Since(list[0].Rev - 1); m.follow && len(since) > 0 {
		cmds = append(cmds, m.showChange(since[len(since)-1]))
	}
	return tea.Batch(cmds...)
}

// followRenames moves drafts, the open file and the tree's cursor to the new names. Where the tree has the old name still, that
// waits for its next state.
func (m *Model) followRenames(wait bool) tea.Cmd {
	var cmds []tea.Cmd
	for ; len(m.renames) > 0; m.renames = m.renames[1:] {
		r, s := &m.renames[0], m.disk.snapshot
		if wait && s.Find(r.OldPath) != nil && s.Find(r.Path) == nil {
			break
		}
		m.drafts.Moved(r.OldPath, r.Path)
		if moved, ok := movedTo(r, m.viewer.Path()); ok {
			m.tree.Follow(moved)
			cmds = append(cmds, m.moveFiles(moved))
		}
	}
	return tea.Batch(cmds...)
}

// unreadChanged shows what the user has not seen.
func (m *Model) unreadChanged() {
	m.tree.SetUnread(maps.Clone(m.feed.UnreadPaths()))
	m.watchLosses()
}

// toggleFollow begins or ends to show each change as it is made; it begins with the newest.
func (m *Model) toggleFollow() tea.Cmd {
	if m.follow {
		m.stopFollowing()
		return nil
	}
	m.follow = true
	m.tell(ui.Info, "following: each change is shown as it is made")
	if list := m.feed.Revisions(); len(list) > 0 {
		return m.showChange(list[len(list)-1])
	}
	return nil
}

// stopFollowing leaves the screen to the user as soon as the user moves.
func (m *Model) stopFollowing() {
	if m.follow {
		m.follow = false
		m.tell(ui.Info, m.env.Keyed("no longer following; {global/follow} follows again"))
	}
}

// toggleRead marks the changes of the selected path as read; when they are, the newest as unread.
func (m *Model) toggleRead() tea.Cmd {
	path, _ := m.tree.Selected()
	if m.feed.UnreadPaths()[path] > 0 {
		m.feed.ReadPath(path)
		return nil
	}
	r, ok := m.feed.LastOf(path)
	if !ok {
		m.tell(ui.Info, diffpane.TextNoChangeFile)
		return nil
	}
	return m.markRevisions(false, r.Rev)
}

const textAllRead = "every change is marked as read"

func (m *Model) readAll() {
	m.feed.ReadAll()
	m.tell(ui.Info, textAllRead)
}

// nextUnread goes to the oldest change that the user has not seen.
func (m *Model) nextUnread() tea.Cmd {
	if r, ok := m.feed.FirstUnread(""); ok {
		return m.showChange(r)
	}
	if len(m.feed.Unread()) > 0 && m.boards[onChanges] != nil {
		shown := m.goTo(onChanges) // from before this start
		return tea.Batch(shown, m.changes.NextUnread())
	}
	m.tell(ui.Info, changes.TextNoUnread)
	return nil
}

// markRevisions notes that the user has, or has not, seen revisions.
func (m *Model) markRevisions(read bool, revs ...int64) tea.Cmd {
	if read {
		m.feed.Read(revs...)
		return nil
	}
	for _, list := range m.openLists() {
		list.SetUnread(true, revs...)
	}
	j := m.options.Journal
	return m.markJob(func(ctx context.Context) error { return j.MarkRead(ctx, false, revs...) }, nil)
}

// passOnRead tells the journal what the user has seen since the last message.
func (m *Model) passOnRead() tea.Cmd {
	mark := m.feed.Unmarked()
	if mark == nil {
		return nil
	}
	m.unreadChanged()
	for _, list := range m.openLists() {
		list.SetUnread(false, mark.Revs...)
	}
	j := m.options.Journal
	return m.markJob(func(ctx context.Context) error { return j.MarkRead(ctx, true, mark.Revs...) }, mark)
}

// markJob passes a mark on; nil: of revisions as unread.
func (m *Model) markJob(work func(context.Context) error, mark *feed.Mark) tea.Cmd {
	ended := func(ok bool) {
		if mark != nil {
			m.feed.Marked(mark, ok)
		}
	}
	m.commands++
	return ui.Start(m.env.Jobs, ui.Job[struct{}]{
		Owner: ownerMarks + revText(int64(m.commands)), Label: timeline.LabelRevisions, Write: true,
		Work:   func(ctx context.Context, _ *ui.Progress) (none struct{}, err error) { return none, work(ctx) },
		Done:   func(struct{}) tea.Cmd { ended(true); return nil },
		Failed: func() { ended(false) },
	})
}
