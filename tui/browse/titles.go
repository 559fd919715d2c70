package browse

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/tree"
	"memcurator/tui/ui"
)

const textTree = "tree"

// ListTitle implements [ui.Screen].
func (s *Screen) ListTitle(width int) ui.Title {
	st, title := s.Env.Styles, textTree
	if f := s.Tree.Filter(); f != "" {
		sign := ""
		if s.Tree.FilterProblem() != "" {
			sign = st.Glyphs.Warning + " "
		}
		title += " " + sign + "/" + text.Clean(f)
	}
	if by := s.Tree.Order(); by != "" {
		title += " by " + by
	}
	out := ui.Title{Left: st.Title.Apply(text.Truncate(title, max(0, width), ""))}
	if gone := s.goneText(); gone != "" {
		out.Left = st.Warning.Apply(text.Truncate(gone, max(0, width), st.Glyphs.Ellipsis))
	} else if n := s.Node(memstore.Root); n != nil {
		out.Right = st.Dim.Apply(ui.Number(n.Files))
	}
	return out
}

// DetailTitle has the tabs, the path and the place.
func (s *Screen) DetailTitle(width int) ui.Title {
	st := s.Env.Styles
	if s.summarized() {
		return ui.DetailTitle(st, s.Summary.Title(), "", "", width)
	}
	names, _, cells := s.Tabs.draw(width)
	t := s.Tabs.Shown()
	path := t.Path()
	if path == "" {
		path = s.View.Path()
	}
	path, place := text.Clean(path), t.Place()
	title := ui.Title{Left: names, Right: st.Dim.Apply(place)}
	if room := width - cells - text.Width(place) - 4; room >= min(pathLeast, text.Width(path)) {
		title.Right = st.Path.Apply(text.TruncateLeft(path, room, st.Glyphs.Ellipsis))
		if place != "" {
			title.Right += " " + st.Dim.Apply(place)
		}
	}
	return title
}

// pathLeast is how many cells of a path must remain for it to be of use.
const pathLeast = 8

// Status is what is marked and the path under the cursor of the tree.
func (s *Screen) Status() (string, theme.Paint) {
	st := s.Env.Styles
	if s.Tabs.at == View && s.View.Tailing() {
		return s.marked() + "[tail] at the end as it grows  " + text.Clean(s.View.Path()), st.Accent
	}
	path, n := s.Tree.Selected()
	if n != nil && n.Problem != nil {
		return s.marked() + text.Clean(path) + ": cannot be read", st.Warning
	}
	return s.marked() + text.Clean(path), st.StatusBar
}

// marked is what is marked, in front of the path, so that a narrow screen does not cut it.
func (s *Screen) marked() string {
	count, bytes := s.Tree.Marks()
	size := memstore.FormatSize(s.Store.Dialect(), bytes)
	glyphs := s.Env.Styles.Glyphs
	switch {
	case s.Tree.Ranging():
		return glyphs.Range + " " + fmt.Sprintf("range: %d selected, %s", count, size) +
			s.Env.Keyed("; {tree/mark-range} selects it, {global/back} clears it") + "  "
	case count > 0:
		return glyphs.Mark + " " + fmt.Sprintf("%d selected, %s", count, size) + "  " + s.Matches()
	}
	return s.Matches()
}

// Matches implements [ui.Screen].
func (s *Screen) Matches() string {
	if matched, total, filtered := s.Tree.Matches(); filtered {
		return fmt.Sprintf("%d of %d", matched, total) + "  "
	}
	return ""
}

// SetFilter implements [ui.Screen].
func (s *Screen) SetFilter(line string) (cmd tea.Cmd, problem string) {
	cmd = s.Tree.SetFilter(line)
	return cmd, s.Tree.FilterProblem()
}

// CompleteFilter implements [ui.Screen].
func (s *Screen) CompleteFilter(line string) []string { return tree.CompleteFilter(line) }

var _ ui.Screen = (*Screen)(nil)
