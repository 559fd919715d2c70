package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/diffpane"
	"memcurator/tui/strip"
)

// pinnedDiff is what the diff tab stays with until the user chooses another file or change. At most
// one of the fields is set, so it is always replaced as a whole. The zero value pins
// nothing: the tab then shows the newest change of the file under the tree's cursor.
type pinnedDiff struct {
	revision int64
	pair     *filePair
}

// nothing reports whether the diff tab goes along with the tree's cursor.
func (p pinnedDiff) nothing() bool { return p == pinnedDiff{} }

// steppedPath is the path through whose changes "older" and "newer" go: that of the change
// in the diff tab, which may be gone from the store, else that of the open file.
func (m *Model) steppedPath() string {
	if m.pinned.revision != 0 && m.diff.Path() != "" {
		return m.diff.Path()
	}
	return m.viewer.Path()
}

// showChange opens the diff of a change since the start and moves the tree to its path.
func (m *Model) showChange(r past.Revision) tea.Cmd {
	m.feed.Read(r.Rev)
	m.tab, m.pinned = tabDiff, pinnedDiff{revision: r.Rev}
	cmds := []tea.Cmd{m.diff.Show(m.changeComparison(r)), m.relayout()}
	if m.shown().Find(r.Path) == nil && r.Shape != past.Removed {
		m.unplaced = r // the watch has not told of it yet
		return tea.Batch(cmds...)
	}
	return tea.Batch(append(cmds, m.placeAt(r.Path))...)
}

// placeAt moves tree and view to a path, if it is there.
func (m *Model) placeAt(path string) tea.Cmd {
	m.unplaced = past.Revision{}
	m.tree.Select(path)
	if m.shown().Find(path) == nil {
		return nil
	}
	return m.viewer.Show(path)
}

// placeChange moves tree and view to the change that is shown, once the watch has told of its path.
func (m *Model) placeChange() tea.Cmd {
	r := m.unplaced
	if r.Rev == 0 || m.pinned.revision != r.Rev || m.shown().Find(r.Path) == nil {
		return nil
	}
	return m.placeAt(r.Path)
}

// showLastChange fills the diff tab with the newest change of a path.
func (m *Model) showLastChange(path string) tea.Cmd {
	r, ok := m.feed.LastOf(path)
	if !ok || m.travel != nil {
		return m.showLastRevision(path)
	}
	return m.diff.Show(m.changeComparison(r))
}

// stepChange goes to the change before or after the one that the diff tab shows, of the same file.
func (m *Model) stepChange(older bool) tea.Cmd {
	want := pathRevisions{path: m.steppedPath(), step: 1, from: m.pinned}
	if older {
		want.step = -1
	}
	return m.readPath(want, ofPathMost)
}

// changeComparison describes a change since the start to the diff tab.
func (m *Model) changeComparison(r past.Revision) diffpane.Comparison {
	st := m.env.Styles
	c := m.revisionComparison(r)
	clock := r.Time.In(m.env.Now().Location()).Format("15:04:05")
	c.Title = strings.TrimSpace(fmt.Sprintf("#%d  %s  %s  %s  %s  %s", r.Rev, clock, r.Actor, r.Command, strip.Path(r, st), strip.Counts(r, st)))
	c.OldPath = r.OldPath
	return c
}

// changedKindText says what happened to something that has no text.
func changedKindText(kind memstore.Kind, command string) string {
	if kind == memstore.KindDir {
		return "a folder has no text to compare; what happened to it: " + command
	}
	return "this is no regular file and has no text to compare; what happened to it: " + command
}
