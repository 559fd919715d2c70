package tree

import (
	"maps"
	"slices"
	"strings"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// Selection is what is selected of the rows: paths one by one, and a range that is being chosen.
type Selection struct {
	pane  *Pane
	marks marks
	span  span
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

// all are the selected paths; a range counts while it is being chosen.
func (s *Selection) all() marks {
	if !s.span.on {
		return s.marks
	}
	with := maps.Clone(s.marks)
	s.eachInRange(func(path string) { with.set(path, true) })
	return with
}

// Paths lists the selected agent paths, sorted. Folders may be among them.
func (s *Selection) Paths() []string { return slices.Sorted(maps.Keys(s.all())) }

// Count counts the paths that [Selection.Paths] lists, and the bytes that they hold.
func (s *Selection) Count() (count int, bytes int64) {
	all := s.all()
	return len(all), all.bytes(s.pane.snapshot)
}

// Chosen lists what a key is about: the selected paths, without those that are below another one, or the path under the cursor.
func (s *Selection) Chosen() []string {
	selected := s.Paths()
	if len(selected) == 0 {
		if s.pane.view.node() == nil {
			return nil
		}
		selected = []string{s.pane.view.path}
	}
	var out []string
	for _, path := range selected { // sorted: a folder comes before what is below it
		if path == memstore.Root {
			s.pane.env.Emit(kit.Say{Text: "/memories itself stays; delete or move its contents"})
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
func (s *Selection) Click(row int, extend bool) {
	v := &s.pane.view
	at := v.list.Top() + row
	if at >= len(v.rows) {
		return
	}
	from := v.cursor()
	v.moveTo(at)
	if extend {
		v.rows.eachMarkable(min(from, at), max(from, at), func(i int) { s.marks.set(v.rows.path(i), true) })
	} else {
		s.marks.set(v.path, !s.marks[v.path])
	}
	v.announce()
	s.pane.reselected()
}

func (s *Selection) bindings() (out []kit.Action) {
	for id, run := range map[keymap.ID]func(){
		keymap.Mark: s.toggle, keymap.MarkRange: s.toggleRange, keymap.MarkInvert: s.invert, keymap.MarkAll: s.markAll,
		keymap.MarkNone: s.clear,
	} {
		out = append(out, kit.On(id, func() {
			run()
			s.pane.reselected()
		}))
	}
	return out
}

// toggle selects the row under the cursor, or no longer, and goes down, or ends a range.
func (s *Selection) toggle() {
	if s.span.on {
		s.addRange()
		return
	}
	path := s.pane.view.path
	if path == memstore.Root {
		s.pane.env.Emit(kit.Say{Text: "Can't select /memories itself. Select what it holds"})
	}
	s.marks.set(path, !s.marks[path])
	s.pane.view.moveTo(s.pane.view.cursor() + 1)
	s.pane.view.announce()
}

// toggleRange begins a range, or selects it, which ends it.
func (s *Selection) toggleRange() {
	if s.span.on {
		s.addRange()
	} else {
		s.span = span{on: true, anchor: s.pane.view.path, at: s.pane.view.cursor()}
	}
}

// addRange selects the range, which ends.
func (s *Selection) addRange() {
	s.marks = s.all()
	s.span.on = false
}

// eachInRange visits the rows of the range.
func (s *Selection) eachInRange(visit func(path string)) {
	r := s.pane.view.rows
	from, to := s.span.bounds(s.pane.view.cursor())
	r.eachMarkable(from, to, func(i int) { visit(r.path(i)) })
}

// invert selects the rows that are not selected, and no others.
func (s *Selection) invert() {
	s.span.on = false
	r := s.pane.view.rows
	r.eachMarkable(0, len(r)-1, func(i int) { s.marks.set(r.path(i), !s.marks[r.path(i)]) })
}

// markAll selects every row, or clears the selection if they all are selected.
func (s *Selection) markAll() {
	s.span.on = false
	r, all := s.pane.view.rows, true
	r.eachMarkable(0, len(r)-1, func(i int) {
		all = all && s.marks[r.path(i)]
		s.marks.set(r.path(i), true)
	})
	if all {
		s.clear()
	}
}

func (s *Selection) clear() { s.marks, s.span = marks{}, span{} }

// glyph is the sign in front of a row that is selected, or in the range.
func (s *Selection) glyph(i int, g theme.Glyphs) string {
	r := s.pane.view.rows
	if s.marks[r.path(i)] {
		return g.Mark
	}
	glyph := ""
	if from, to := s.span.bounds(s.pane.view.cursor()); s.span.on && from <= i && i <= to {
		r.eachMarkable(i, i, func(int) { glyph = g.Range })
	}
	return glyph
}
