package browse

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/past"

	"memcurator/tui/timeline"
)

// ownerHistory names the jobs of the history tab.
const ownerHistory = "history"

// historyTab is the history of the path under the tree's cursor.
type historyTab struct {
	*timeline.Pane
	path string
	none bool // without a journal
	// before bounds the revisions, to those made until a moment in the past; 0: all.
	before int64
}

// newHistory makes the history tab; without a journal that lasts it is hidden.
func newHistory(s *Screen) *historyTab {
	j := s.Edits.Journal
	return &historyTab{none: j == nil, Pane: timeline.New(s.Env, s, timeline.Options{
		Title: "history", Empty: textNoHistory, Owner: ownerHistory, Scope: keymap.History, Source: j, Feed: s.Feed,
	})}
}

// OpenRevision implements [timeline.Host]: the diff tab shows a revision of the history.
func (s *Screen) OpenRevision(r past.Revision) tea.Cmd {
	return tea.Batch(s.shell.FocusDetail(), s.showInDiff(r))
}

// RowMoved implements [timeline.Host].
func (s *Screen) RowMoved() tea.Cmd { return nil }

// Available implements [kit.Optional].
func (t *historyTab) Available() bool { return !t.none }

// Path implements [kit.Tab]: the path that the history is of.
func (t *historyTab) Path() string { return t.path }

// Show implements [kit.FileTab].
func (t *historyTab) Show(path string) tea.Cmd {
	if path == t.path {
		return nil
	}
	t.path = path
	return t.SetBase(past.Filter{Path: path, Follow: true, Before: t.before})
}

// limit lists only revisions before that one from now on, 0 all; they are read when the tab is next in sight.
func (t *historyTab) limit(before int64) { t.before, t.path, t.Then = before, "", before > 0 }

// ShowMoved implements [kit.FileTab].
func (t *historyTab) ShowMoved(path string) tea.Cmd { return t.Show(path) }

// Reload implements [kit.FileTab].
func (t *historyTab) Reload() tea.Cmd { return t.Reread() }

// OpenHistory is the list of the history tab if it was opened; else nil.
func (s *Screen) OpenHistory() *timeline.Pane {
	if s.history.path == "" {
		return nil
	}
	return s.history.Pane
}
