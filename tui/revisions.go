package tui

import (
	"context"
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

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

// readAllRevisions marks everything as read that is recorded now, at least until a revision.
func (m *Model) readAllRevisions(last int64) tea.Cmd {
	last = max(last, m.feed.Newest())
	mark := m.feed.UnmarkedUpTo(last)
	m.unreadChanged()
	m.tell(ui.Info, textAllRead)
	for _, list := range m.openLists() {
		list.SetAllRead(last)
	}
	j := m.options.Journal
	return m.markJob(func(ctx context.Context) error { return j.MarkAllRead(ctx, last) }, mark)
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
