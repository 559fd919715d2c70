package tree

import (
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// Selection is what is selected of the rows: paths one by one, and a range that is being chosen.
type Selection struct {
	env     *ui.Env
	view    *viewport
	changed func() tea.Cmd // called when other paths than before are selected
	marks   marks
	span    span
}

// span is a range that is being chosen: from the anchor to the cursor.
type span struct {
	on     bool
	anchor string // agent path of the row where it began
	at     int    // its row now
}

// bounds are the first and the last row of the range, with the cursor on a row.
func (s *span) bounds(cursor int) (from, to int) { return min(s.at, cursor), max(s.at, cursor) }

// find finds the beginning of the range among new rows; where it is gone, the range is dropped.
func (s *span) find(r rows) {
	if s.on {
		s.at, s.on = r.find(s.anchor)
	}
}

// Ranging reports whether a range is being chosen.
func (s *Selection) Ranging() bool { return s.span.on }

// Paths lists the selected agent paths, sorted; a range counts while it is being chosen. Folders may be among them.
func (s *Selection) Paths() []string {
	out := slices.Collect(maps.Keys(s.marks.sizes))
	s.eachInRange(func(path string, _ *memstore.Node) {
		if !s.marks.has(path) {
			out = append(out, path)
		}
	})
	slices.Sort(out)
	return out
}

// Count counts the paths that [Selection.Paths] lists, and the bytes that they hold.
func (s *Selection) Count() (count int, bytes int64) {
	if !s.span.on {
		return len(s.marks.sizes), s.marks.bytes()
	}
	with := marks{sizes: maps.Clone(s.marks.sizes), folders: s.marks.folders}
	s.eachInRange(with.add)
	return len(with.sizes), with.bytes()
}

// Chosen lists what a key is about: the selected paths, without those that are below another one, or the path under the cursor.
func (s *Selection) Chosen() []string {
	selected := s.Paths()
	if len(selected) == 0 {
		if s.view.node() == nil {
			return nil
		}
		selected = []string{s.view.path}
	}
	var out []string
	for _, path := range selected { // sorted: a folder comes before what is below it
		if path == memstore.Root {
			s.env.Emit(ui.Say{Text: "/memories itself stays; delete or move its contents"})
			return nil
		}
		if !slices.ContainsFunc(out, func(top string) bool { return strings.HasPrefix(path, top+"/") }) {
			out = append(out, path)
		}
	}
	return out
}

// Click selects the row that was clicked, or no longer, or, to extend, selects all from the
// cursor's row to it. Rows count from the top of the pane.
func (s *Selection) Click(row int, extend bool) tea.Cmd {
	v := s.view
	at := v.list.Top() + row
	if at >= len(v.rows) {
		return nil
	}
	from := v.cursor()
	v.moveTo(at)
	if extend {
		v.rows.eachMarkable(min(from, at), max(from, at), func(i int) { s.marks.add(v.rows.path(i), v.rows[i].node) })
	} else {
		s.marks.toggle(v.path, v.rows[at].node)
	}
	v.announce()
	return s.changed()
}

func (s *Selection) bindings() []ui.Action {
	var out []ui.Action
	for id, run := range map[keymap.ID]func(){
		keymap.Mark: s.toggle, keymap.MarkRange: s.toggleRange, keymap.MarkInvert: s.invert, keymap.MarkAll: s.all,
		keymap.MarkNone: s.clear,
	} {
		out = append(out, ui.Action{ID: id, Run: func() tea.Cmd {
			run()
			return s.changed()
		}})
	}
	return out
}

// toggle selects the row under the cursor, or no longer, and goes down, or ends a range.
func (s *Selection) toggle() {
	if s.span.on {
		s.addRange()
		return
	}
	path, n := s.view.path, s.view.node()
	if n == nil {
		return
	}
	if path == memstore.Root {
		s.env.Emit(ui.Say{Text: "Can't select /memories itself. Select what it holds"})
	}
	s.marks.toggle(path, n)
	s.view.moveTo(s.view.cursor() + 1)
	s.view.announce()
}

// toggleRange begins a range, or selects it, which ends it.
func (s *Selection) toggleRange() {
	if s.span.on {
		s.addRange()
	} else {
		s.span = span{on: true, anchor: s.view.path, at: s.view.cursor()}
	}
}

// addRange selects the range, which ends.
func (s *Selection) addRange() {
	s.eachInRange(s.marks.add)
	s.span.on = false
}

// eachInRange visits the rows of the range.
func (s *Selection) eachInRange(visit func(path string, n *memstore.Node)) {
	if s.span.on {
		r := s.view.rows
		from, to := s.span.bounds(s.view.cursor())
		r.eachMarkable(from, to, func(i int) { visit(r.path(i), r[i].node) })
	}
}

// invert selects the rows that are not selected, and no others.
func (s *Selection) invert() {
	s.span.on = false
	r := s.view.rows
	r.eachMarkable(0, len(r)-1, func(i int) { s.marks.toggle(r.path(i), r[i].node) })
}

// all selects every row, or clears the selection if they all are selected.
func (s *Selection) all() {
	s.span.on = false
	r, all := s.view.rows, true
	r.eachMarkable(0, len(r)-1, func(i int) {
		all = all && s.marks.has(r.path(i))
		s.marks.add(r.path(i), r[i].node)
	})
	if all {
		s.marks = marks{}
	}
}

func (s *Selection) clear() { s.marks, s.span = marks{}, span{} }

// resemble selects the paths that another selection has; a range is not taken over.
func (s *Selection) resemble(o *Selection) {
	s.marks.sizes, s.marks.folders = maps.Clone(o.marks.sizes), o.marks.folders
}

// glyph is the sign in front of a row that is selected, or in the range.
func (s *Selection) glyph(i int, g theme.Glyphs) string {
	r := s.view.rows
	if s.marks.has(r.path(i)) {
		return g.Mark
	}
	glyph := ""
	if from, to := s.span.bounds(s.view.cursor()); s.span.on && from <= i && i <= to {
		r.eachMarkable(i, i, func(int) { glyph = g.Range })
	}
	return glyph
}
