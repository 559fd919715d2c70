package browse

import (
	"strings"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/tui/feed"
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
	if gone := s.Diff.goneText(); gone != "" {
		return ui.Title{Left: st.Warning.Apply(text.Truncate(gone, max(0, width), st.Glyphs.Ellipsis))}
	}
	place := strings.TrimSpace(s.Tree.Matches())
	if n := s.Files.Node(memstore.Root); n != nil && place == "" {
		place = ui.Number(n.Files)
	}
	title = text.Truncate(title, max(0, width-text.Width(place)-2), st.Glyphs.Ellipsis)
	return ui.Title{Left: st.Title.Apply(title), Right: st.Dim.Apply(place)}
}

// DetailTitle has the tabs, the path and the place.
func (s *Screen) DetailTitle(width int) ui.Title {
	st := s.Env.Styles
	if s.Opening.Shown() {
		return ui.DetailTitle(st, s.Opening.pane.Title(), "", "", width)
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
		title.Right = st.Path.Apply(ui.FitPath(path, room, st))
		if place != "" {
			title.Right += " " + st.Dim.Apply(place)
		}
	}
	return title
}

// pathLeast is how many cells of a path must remain for it to be of use.
const pathLeast = 8

var _ interface {
	ui.Screen
	ui.DetailTitler
	ui.Receiver
	ui.TreeWatcher
	ui.Forgetter
	feed.Watcher
} = (*Screen)(nil)
