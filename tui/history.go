package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/tui/blame"
	"memcurator/tui/diffpane"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// The owners of the jobs that look into the history of a path.
const (
	ownerHistory = "history"
	ownerOfPath  = "history.path"
)

// ofPathMost bounds the revisions of one path among which "older" and "newer" step.
const ofPathMost = 10_000

// historyTab is the history of the path under the tree's cursor.
type historyTab struct {
	*timeline.Pane
	path string
	none bool // there is no journal
	// before bounds the revisions, to those made until a moment in the past; 0: all.
	before int64
}

// Available implements [ui.Optional].
func (t *historyTab) Available() bool { return !t.none }

// newHistory makes the history tab.
func newHistory(env *ui.Env, j *journal.Journal) *historyTab {
	return &historyTab{none: j == nil, Pane: timeline.New(env, ownerHistory, j, keymap.History, timeline.Texts{
		Title: "history", Empty: blame.TextNoHistory, NoMatch: textNoRevisionFits,
	})}
}

// Path implements [ui.Tab]: the path that the history is of.
func (t *historyTab) Path() string { return t.path }

// Show implements [ui.FileTab].
func (t *historyTab) Show(path string) tea.Cmd {
	if path == t.path {
		return nil
	}
	t.path = path
	return t.SetBase(past.Filter{Path: path, Before: t.before})
}

// limit lists only revisions before that one from now on, 0 all; they are read when the tab is seen.
func (t *historyTab) limit(before int64) { t.before, t.path = before, "" }

// ShowMoved implements [ui.FileTab].
func (t *historyTab) ShowMoved(path string) tea.Cmd { return t.Show(path) }

// Reload implements [ui.FileTab].
func (t *historyTab) Reload() tea.Cmd { return t.Refresh() }

// showInDiff puts a revision into the diff tab, which holds on to it.
func (m *Model) showInDiff(r past.Revision) tea.Cmd {
	m.tab, m.pinned = tabDiff, pinnedDiff{revision: r.Rev}
	return tea.Batch(m.diff.Show(m.revisionComparison(r)), m.markRevisions(true, unreadRevs(r)...), m.relayout())
}

// unreadRevs is the number of a revision that is not read yet.
func unreadRevs(r past.Revision) []int64 {
	if r.Unread {
		return []int64{r.Rev}
	}
	return nil
}

// pathRevisions are the revisions of one path, oldest first, and which of them to show.
type pathRevisions struct {
	path string
	rows []past.Revision
	step int        // -1 older, +1 newer, 0 the newest
	from pinnedDiff // what the step goes out from
}

// showLastRevision fills the diff tab with the newest revision of a path, from before the
// program was started.
func (m *Model) showLastRevision(path string) tea.Cmd {
	n := m.node(path)
	if n != nil && n.Kind == memstore.KindDir { // nil: not listed yet
		m.env.Jobs.Cancel(ownerOfPath)
		m.diff.Clear()
		return nil
	}
	return m.readPath(pathRevisions{path: path}, 1)
}

// readPath reads the newest revisions of a path itself, not of what is below it.
func (m *Model) readPath(want pathRevisions, most int) tea.Cmd {
	j, until, wait := m.options.Journal, m.until(), time.Duration(0)
	if want.step == 0 && m.tab != tabDiff {
		wait = m.env.Debounce // the diff is out of sight, and most paths are only passed
	}
	return m.env.Jobs.Start(ownerOfPath, timeline.LabelRevisions, func(ctx context.Context, _ *ui.Progress) (any, error) {
		if err := ui.Debounce(ctx, wait); err != nil {
			return nil, err
		}
		rows, err := past.Revisions(ctx, j, past.Filter{
			Path: want.path, Exact: true, Newest: true, Before: until, Limit: most,
		})
		slices.Reverse(rows)
		want.rows = rows
		return want, err
	})
}

func (m *Model) pathReceived(done ui.Done) tea.Cmd {
	v, ok := done.Value.(pathRevisions)
	if !ok {
		return nil
	}
	switch {
	case v.step != 0 && (v.path != m.steppedPath() || v.from != m.pinned):
		// The user went elsewhere while the journal was read.
	case v.step != 0:
		return m.stepRevision(v)
	case m.viewer.Path() != v.path || !m.pinned.nothing():
	case len(v.rows) == 0:
		m.diff.Clear()
	default:
		return m.diff.Show(m.revisionComparison(v.rows[len(v.rows)-1]))
	}
	return nil
}

const textNoFurtherChange = "no further change of this file in this direction"

// stepRevision shows the revision before or after the one in the diff tab.
func (m *Model) stepRevision(v pathRevisions) tea.Cmd {
	if len(v.rows) == 0 && m.kept() == nil {
		m.tell(ui.Info, diffpane.TextNoChangeFile)
		return nil
	}
	at := len(v.rows) - 1
	for i, r := range slices.Backward(v.rows) {
		if r.Rev == v.from.revision {
			at = i
			break
		}
	}
	if at += v.step; at < 0 || at >= len(v.rows) {
		m.tell(ui.Info, textNoFurtherChange)
		return nil
	}
	return m.showInDiff(v.rows[at])
}
