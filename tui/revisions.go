package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/diffpane"
	"memcurator/tui/prompt"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// boardAction performs the actions of the screens of revisions, and goes to Browse for
// those that only make sense there.
func (m *Model) boardAction(id keymap.ID) (tea.Cmd, bool) {
	switch id {
	case keymap.ScreenBrowse:
		return m.goTo(onBrowse), true
	case keymap.ScreenChanges:
		return m.goTo(onChanges), true
	case keymap.ScreenTrash:
		return m.goTo(onTrash), true
	case keymap.ScreenReplay:
		return m.goTo(onReplay), true
	}
	b := m.board()
	if b == nil {
		return nil, false
	}
	if cmd, ok := m.betweenAction(id); ok {
		return cmd, true
	}
	switch id {
	case keymap.Compare:
		return m.compareRevisions(b.list), true
	case keymap.FocusNext, keymap.FocusPrev:
		m.focus = onTree + onMain - m.focus
		return m.relayout(), true
	case keymap.NextUnread:
		return m.nextUnreadRevision(b), true
	case keymap.Like:
		return m.showLike(), true
	case keymap.MarkRead:
		return m.toggleReadRevision(b), true
	case keymap.ReadAll:
		return m.readAllRevisions(b), true
	case keymap.OpenFile:
		return m.openPath(b.list.Path()), true
	case keymap.CopyPath:
		return m.toClipboard("path", b.list.Path()), true
	case keymap.CopyLine, keymap.CopyDiff:
		return m.copyRevision(b, id), true
	case keymap.SideBySide, keymap.Whitespace, keymap.HunkNext, keymap.HunkPrev:
		return b.detail.Handle(id)
	case keymap.Filter:
		m.before = b.list.Filter().Text()
		m.line.Open(prompt.Filter, m.before)
		return nil, true
	case keymap.FocusTree, keymap.FocusLive, keymap.TabNext, keymap.TabPrev, keymap.Listing, keymap.Follow:
		shown := m.goTo(onBrowse)
		cmd, _ := m.global(id)
		return tea.Batch(shown, cmd), true
	}
	return nil, false
}

// setFilter narrows the tree or the list of the screen while the user types.
func (m *Model) setFilter(line string) tea.Cmd {
	if m.onReplayScreen() {
		return m.filterReplay(line)
	}
	if m.curating() {
		m.setCurateFilter(line)
		return nil
	}
	b := m.board()
	if b == nil {
		cmd := m.tree.SetFilter(line)
		m.line.Problem = m.tree.FilterProblem()
		return cmd
	}
	f, err := timeline.ParseFilter(line, m.env.Now())
	if err != nil {
		m.line.Problem = err.Error()
		return nil
	}
	m.line.Problem = ""
	return b.list.SetFilter(f)
}

// openPath shows a path in the view, with the focus on it.
func (m *Model) openPath(path string) tea.Cmd {
	if path == "" || m.node(path) == nil {
		m.tell(ui.Info, ui.GoneNowText(path))
		return nil
	}
	cmd := m.selectPath(path, true)
	m.tab, m.focus = tabView, onMain
	return tea.Batch(cmd, m.relayout())
}

func (m *Model) copyRevision(b *board, id keymap.ID) tea.Cmd {
	what, read := "line", m.secondPane().LineReader(copyUpTo)
	if id == keymap.CopyDiff {
		what, read = "diff", b.detail.TextReader(copyUpTo)
	} else if m.focus == onTree {
		read = b.list.LineReader(copyUpTo)
	}
	if read == nil {
		m.tell(ui.Info, ui.TextNoLine)
		return nil
	}
	return m.copyJob(what, func(context.Context) (string, error) { return read() })
}

// showRevision shows the diff of a revision in its screen; seen in Changes it is read.
func (m *Model) showRevision(v timeline.ShowRevision) tea.Cmd {
	if v.Owner == ownerHistory {
		return nil // enter opens it
	}
	b, ok := m.boards[onChanges], v.Owner == ownerChanges
	if v.Owner == ownerTrash {
		b = m.boards[onTrash]
	}
	if m.between != nil && ok && int(v.Revision.Rev) <= len(m.between.sides) {
		return b.detail.Show(m.betweenComparison(v.Revision))
	}
	cmd := b.detail.Show(m.revisionComparison(v.Revision))
	if ok && m.screen == onChanges && v.Revision.Unread {
		return tea.Batch(cmd, m.markRevisions(true, v.Revision.Rev))
	}
	return cmd
}

// nextUnreadRevision goes to the oldest revision that the user has not seen.
func (m *Model) nextUnreadRevision(b *board) tea.Cmd {
	if m.screen == onChanges && b.list.NextUnread() {
		return nil
	}
	m.tell(ui.Info, ui.TextNoUnread)
	return nil
}

func (m *Model) toggleReadRevision(b *board) tea.Cmd {
	r, ok := b.list.Selected()
	if !ok {
		return nil
	}
	return m.markRevisions(r.Unread, r.Rev)
}

// readAllRevisions marks everything as read that is recorded now.
func (m *Model) readAllRevisions(b *board) tea.Cmd {
	last := b.list.Newest()
	if n := len(m.inbox.unread); n > 0 {
		last = max(last, m.inbox.unread[n-1].Rev)
	}
	m.readAll()
	for _, list := range m.openLists() {
		list.SetAllRead(last)
	}
	j := m.options.Journal
	m.commands++
	return m.env.Jobs.StartWrite(ownerMarks+ui.RevText(int64(m.commands)), ui.LabelRevisions, func(context.Context, *ui.Progress) (any, error) {
		return marked{}, j.MarkAllRead(last)
	})
}

// revisionComparison describes a revision to a diff.
func (m *Model) revisionComparison(r past.Revision) diffpane.Comparison {
	return diffpane.Comparison{
		Key: "revision " + ui.RevText(r.Rev), Title: timeline.Describe(r, m.env.Styles, m.env.Now().Location()), Path: r.Path,
		Before: m.sideLoader(r, r.Before), After: m.sideLoader(r, r.After),
	}
}

// sideLoader reads one side of a revision; a side that does not exist is empty.
func (m *Model) sideLoader(r past.Revision, s past.Side) func() ([]byte, string) {
	j := m.options.Journal
	return func() ([]byte, string) {
		switch {
		case r.Kind == memstore.KindDir:
			return nil, ui.ChangedKindText(true, r.Command)
		case !s.Exists:
			return nil, ""
		case !s.Kept:
			return nil, s.Why
		}
		data, err := j.Bytes(context.Background(), s)
		if err != nil {
			return nil, err.Error()
		}
		return data, ""
	}
}
