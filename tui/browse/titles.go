package browse

import (
	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/tui/feed"
	"memcurator/tui/kit"
)

// ListTitle implements [kit.Screen].
func (s *Screen) ListTitle(width int) kit.Title {
	st, title := s.Env.Styles, s.Tree.Title()
	if f := s.Tree.Filter(); f != "" { // narrow as the tree is, there is room for one
		title = kit.FilterText(f)
	}
	if by := s.Tree.OrderName(); by != "name" {
		title += " by " + by
	}
	place := ""
	if n := s.Files.Node(memstore.Root); n != nil {
		place = kit.Number(n.Files)
	}
	if s.Tree.Filter() != "" {
		place = s.Tree.Matches()
	}
	title = text.Truncate(title, max(0, width-text.Width(place)-2), st.Glyphs.Ellipsis)
	return kit.Title{Left: st.Title.Apply(title), Right: st.Dim.Apply(place)}
}

// DetailTitle has the tabs, the path and the place.
func (s *Screen) DetailTitle(width int) kit.Title {
	st := s.Env.Styles
	if s.Summary.shown {
		return kit.DetailTitle(st, s.Summary.Title(), "", "", width)
	}
	names, _, cells := s.Tabs.draw(width)
	t := s.Tabs.Shown()
	path := t.Path()
	if path == "" {
		path = s.View.Path()
	}
	path, place := text.Clean(path), t.Place()
	title := kit.Title{Left: names, Right: st.Dim.Apply(place)}
	if room := width - cells - text.Width(place) - 4; room >= min(pathLeast, text.Width(path)) {
		title.Right = st.Path.Apply(kit.FitPath(path, room, st))
		if place != "" {
			title.Right += " " + st.Dim.Apply(place)
		}
	}
	return title
}

// pathLeast is how many cells of a path must remain for it to be of use.
const pathLeast = 8

var _ interface {
	kit.Screen
	kit.DetailTitler
	kit.TreeWatcher
	kit.Forgetter
	feed.Watcher
} = (*Screen)(nil)
