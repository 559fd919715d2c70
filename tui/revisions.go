package tui

import (
	"context"
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/prompt"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// boardActions are those of a screen of revisions.
func (m *Model) boardActions(s screen) []ui.Action {
	b := m.boards[s]
	actions := []ui.Action{
		{ID: keymap.Compare, Run: func() tea.Cmd { return m.compareRevisions(b.list) }},
		{ID: keymap.FocusNext, Run: m.otherPane},
		{ID: keymap.FocusPrev, Run: m.otherPane},
		{ID: keymap.NextUnread, Run: func() tea.Cmd { return m.nextUnreadRevision(b) }},
		{ID: keymap.Like, Run: m.showLike},
		{ID: keymap.MarkRead, Run: func() tea.Cmd { return m.toggleReadRevision(b) }},
		{ID: keymap.ReadAll, Run: func() tea.Cmd { return m.readAllRevisions(b) }},
		{ID: keymap.OpenFile, Run: func() tea.Cmd { return m.openPath(b.list.Path()) }},
		{ID: keymap.CopyPath, Run: func() tea.Cmd { return m.toClipboard("path", b.list.Path()) }},
		{ID: keymap.Filter, Run: ui.Do(func() {
			m.before = b.list.Filter().Text()
			m.line.Open(prompt.Filter, m.before)
		})},
	}
	for _, id := range []keymap.ID{keymap.CopyLine, keymap.CopyDiff} {
		actions = append(actions, ui.Action{ID: id, Run: func() tea.Cmd { return m.copyRevision(b, id) }})
	}
	for _, id := range []keymap.ID{keymap.SideBySide, keymap.Whitespace, keymap.HunkNext, keymap.HunkPrev} {
		actions = append(actions, ui.Action{ID: id, Run: func() tea.Cmd {
			cmd, _ := b.detail.Handle(id)
			return cmd
		}})
	}
	return actions
}

// openPath shows a path in the view, with the focus on it.
func (m *Model) openPath(path string) tea.Cmd {
	if path == "" || m.node(path) == nil {
		m.tell(ui.Info, fmt.Sprintf("%s is not there now; the diff shows what it held", text.Clean(path)))
		return nil
	}
	cmd := m.selectPath(path, true)
	m.tab, m.focus = tabView, onMain
	return tea.Batch(cmd, m.relayout())
}

func (m *Model) copyRevision(b *board, id keymap.ID) tea.Cmd {
	what, read := "line", m.secondPane().LineReader(ui.CopyLimit)
	if id == keymap.CopyDiff {
		what, read = "diff", b.detail.TextReader(ui.CopyLimit)
	} else if m.focus == onTree {
		read = b.list.LineReader(ui.CopyLimit)
	}
	return m.copyRead(what, read)
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
	m.tell(ui.Info, textNoUnread)
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
	last := max(b.list.Newest(), m.feed.Newest())
	mark := m.feed.UnmarkedUpTo(last)
	m.unreadChanged()
	m.tell(ui.Info, textAllRead)
	for _, list := range m.openLists() {
		list.SetAllRead(last)
	}
	j := m.options.Journal
	return m.markJob(func() error { return j.MarkAllRead(last) }, mark)
}

// revText writes the number of a revision.
func revText(n int64) string { return strconv.FormatInt(n, 10) }

// revisionComparison describes a revision to a diff.
func (m *Model) revisionComparison(r past.Revision) diffpane.Comparison {
	return diffpane.Comparison{
		Key: "revision " + revText(r.Rev), Title: timeline.Describe(r, m.env.Styles, m.env.Now().Location()), Path: r.Path,
		Before: m.sideLoader(r, r.Before), After: m.sideLoader(r, r.After),
	}
}

// sideLoader reads one side of a revision; a side that does not exist is empty.
func (m *Model) sideLoader(r past.Revision, s past.Side) func() ([]byte, string) {
	j := m.options.Journal
	return func() ([]byte, string) {
		switch {
		case r.Kind != memstore.KindFile && r.Kind != memstore.KindLink:
			return nil, changedKindText(r.Kind, r.Command)
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
