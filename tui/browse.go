package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/tree"
	"memcurator/tui/ui"
)

const textTree = "tree"

// browse is the Browse screen: the tree, and the file under its cursor in tabs.
type browse struct{ m *Model }

// List implements [ui.Screen].
func (b browse) List() ui.Pane { return b.m.tree }

// Detail implements [ui.Screen].
func (b browse) Detail() ui.Tab { return b.m.mainTab() }

// Actions implements [ui.Screen]: those of Browse reach it from every screen.
func (b browse) Actions() *ui.Actions { return b.m.shellActions }

// Receive implements [ui.Screen].
func (b browse) Receive(any) (cmd tea.Cmd, mine bool) { return nil, false }

// Enter implements [ui.Screen].
func (b browse) Enter() tea.Cmd { return nil }

// Resize implements [ui.Screen].
func (b browse) Resize(list, detail ui.Rect) tea.Cmd {
	b.m.tree.Resize(list.W, list.H)
	for _, t := range b.m.tabs {
		t.Resize(detail.W, detail.H)
	}
	if s, ok := b.m.mainTab().(ui.Settler); ok {
		return s.Settle()
	}
	return nil
}

// ListTitle implements [ui.Screen].
func (b browse) ListTitle(width int) string {
	m := b.m
	title := " " + textTree + " "
	if f := m.tree.Filter(); f != "" {
		sign := ""
		if m.tree.FilterProblem() != "" {
			sign = m.env.Styles.Glyphs.Warning + " "
		}
		title = " " + textTree + " " + sign + "/" + text.Clean(f) + " "
	}
	if by := m.tree.Order(); by != "" {
		title += "by " + by + " "
	}
	return m.env.Styles.Title.Apply(text.Truncate(title, max(0, width), ""))
}

// DetailTitle has the tabs, the path and the place.
func (b browse) DetailTitle(width int) string {
	m, st := b.m, b.m.env.Styles
	names, _, cells := m.tabNames(width)
	t := m.mainTab()
	path := t.Path()
	if path == "" {
		path = m.viewer.Path()
	}
	place := t.Place()
	room := width - cells - text.Width(place) - 3
	if room < min(pathLeast, text.Width(text.Clean(path))) {
		if width-cells-1 >= text.Width(place) && place != "" {
			return names + st.Dim.Apply(place) + " "
		}
		return names
	}
	var title strings.Builder
	title.WriteString(names)
	title.WriteString(st.Path.Apply(text.TruncateLeft(text.Clean(path), room, st.Glyphs.Ellipsis)))
	title.WriteString(" " + st.Dim.Apply(place) + " ")
	return title.String()
}

// Status is what is marked and the path under the cursor of the tree.
func (b browse) Status() (string, theme.Paint) {
	m, st := b.m, b.m.env.Styles
	if m.tab == tabView && m.viewer.Tailing() {
		return b.marks() + "[tail] at the end as it grows  " + text.Clean(m.viewer.Path()), st.Accent
	}
	path, n := m.tree.Selected()
	if n != nil && n.Problem != nil {
		return b.marks() + text.Clean(path) + ": cannot be read", st.Warning
	}
	return b.marks() + text.Clean(path), st.StatusBar
}

// marks is what is marked, in front of the path: it must not be what a narrow screen cuts.
func (b browse) marks() string {
	m := b.m
	count, bytes := m.tree.Marks()
	size := memstore.FormatSize(m.options.Store.Dialect(), bytes)
	switch {
	case m.tree.Ranging():
		return m.env.Styles.Glyphs.Range + " " + rangeText(m.env, count, size) + "  "
	case count > 0:
		return m.env.Styles.Glyphs.Mark + " " + fmt.Sprintf("%d marked, %s", count, size) + "  " + b.Matches()
	}
	return b.Matches()
}

// Matches implements [ui.Screen].
func (b browse) Matches() string {
	if matched, total, filtered := b.m.tree.Matches(); filtered {
		return matchesText(matched, total) + "  "
	}
	return ""
}

// SetFilter implements [ui.Screen].
func (b browse) SetFilter(line string) (cmd tea.Cmd, problem string) {
	cmd = b.m.tree.SetFilter(line)
	return cmd, b.m.tree.FilterProblem()
}

// CompleteFilter implements [ui.Screen].
func (b browse) CompleteFilter(line string) []string { return tree.CompleteFilter(line) }

// rangeText says that a range is being chosen, with what is marked so far.
func rangeText(e *ui.Env, count int, bytes string) string {
	return fmt.Sprintf("range: %d marked, %s", count, bytes) + e.Keyed("; {tree/mark-range} sets it, {global/back} drops it")
}

// matchesText is how much a filter leaves.
func matchesText(matched, total int) string { return fmt.Sprintf("%d of %d", matched, total) }
