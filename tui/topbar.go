package tui

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/watch"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// item is a part of the row; those of a higher rank go first where it is too narrow.
type item struct {
	piece
	rank int
}

// topBar draws the row of the store: name, path, files, size, badges, and how it is watched. The path is cut first, and the name last.
func (m *Model) topBar(w int) string {
	st := m.env.Styles
	called, title, items := cmp.Or(m.options.Name, storeName(m.options.Title)), m.options.Title, []item(nil)
	if m.stage.shows(keymap.ScreenStores) {
		called, title = "memcurator", "all stores"
		items = append(items, item{piece{m.options.Stores.Summary(), st.Dim}, 1})
	} else if !m.options.Unlinked {
		items = m.topBarItems()
	}
	name := text.Truncate(text.Clean(called), max(0, w-2), st.Glyphs.Ellipsis)
	room := w - text.Width(name) - 2
	for len(items) > 0 && widthOf(items)+1 > room {
		last := 0
		for i, it := range items {
			if it.rank > items[last].rank {
				last = i
			}
		}
		items = slices.Delete(items, last, last+1)
	}
	right := widthOf(items)
	room -= right
	if title = text.Clean(title); title == name || room < min(pathLeast, text.Width(title))+2 {
		title = ""
	}
	row := " " + st.Title.Apply(name)
	if title != "" {
		title = "  " + text.TruncateLeft(title, room-3, st.Glyphs.Ellipsis)
		row += st.Dim.Apply(title)
	}
	row += strings.Repeat(" ", max(0, room-text.Width(title)))
	for i, it := range items {
		if i > 0 {
			row += "  "
		}
		row += it.paint.Apply(it.text)
	}
	return row + " "
}

// pathLeast is how many cells of a path must remain for it to be of use.
const pathLeast = 12

// widthOf is how many cells items take with the blanks between them.
func widthOf(items []item) int {
	n := 2 * max(0, len(items)-1)
	for _, it := range items {
		n += text.Width(it.text)
	}
	return n
}

// topBarItems are the parts at the right, from the left on.
func (m *Model) topBarItems() []item {
	st, tree, dialect := m.env.Styles, m.store.Snapshot, m.store.Handlers.Dialect()
	if m.stage.shows(keymap.ScreenBrowse) { // the other screens are about the present
		tree = m.browse.Files.Snapshot()
	}
	var items []item
	add := func(rank int, paint theme.Paint, s string) { items = append(items, item{piece{s, paint}, rank}) }
	if s := tree; s != nil && s.Root != nil {
		count := kit.CountGrouped(s.Root.Files, "file")
		if !s.Complete {
			count = kit.Number(s.Root.Files) + "+ files"
		}
		add(7, st.Dim, count)
		add(8, st.Dim, memstore.FormatSize(dialect, s.Root.Bytes))
	}
	if dialect != memstore.Docs {
		add(6, st.Accent, dialect.String())
	}
	switch {
	case m.options.Unwritable:
		add(0, st.Warning, "NOT WRITABLE")
	case m.options.ReadOnly:
		add(0, st.Warning, "READ-ONLY")
	}
	if m.options.Badge != "" {
		add(3, st.Accent, m.options.Badge)
	}
	if m.browse.Following.On() {
		add(5, st.Accent, "following")
	}
	state, paint := stateText(st, m.store.Watched)
	if n := m.options.Watch.Behind(); n >= toldFrom {
		state = "recording, " + kit.Number(n) + " to go"
	}
	add(1, paint, state)
	return items
}

// toldFrom is how many edits of other programs are behind before the bar says so: fewer are recorded in a moment.
const toldFrom = 500

// stateText says how the store is watched.
func stateText(st *theme.Styles, state watch.State) (string, theme.Paint) {
	g := st.Glyphs
	switch state {
	case watch.Live:
		return g.Live + " live", st.Success
	case watch.Limited:
		return g.Warning + " partly watched", st.Warning
	case watch.Polling:
		return g.Gone + " polling", st.Warning
	case watch.Unavailable:
		return "offline", st.Error
	default:
		return g.Gone + " loading", st.Dim
	}
}

// storeName is what a store is called that has no name of its own: its folder, or that around it if every store's is called so.
func storeName(title string) string {
	title = strings.TrimRight(title, `/\`)
	name := path.Base(strings.ReplaceAll(title, `\`, "/"))
	if name == "memories" || name == "memory" {
		if around := path.Base(path.Dir(title)); around != "." && around != "/" && around != "~" {
			return around
		}
	}
	return name
}
