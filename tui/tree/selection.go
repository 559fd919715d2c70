package tree

import (
	"maps"
	"slices"

	"memcurator/memstore"
	"memcurator/render/theme"
)

// selection is what is selected of the rows: paths one by one, and a range that is being chosen.
type selection struct {
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

// eachInRange visits the rows of the range.
func (s *selection) eachInRange(r rows, cursor int, visit func(path string, n *memstore.Node)) {
	if s.span.on {
		from, to := s.span.bounds(cursor)
		r.eachMarkable(from, to, func(i int) { visit(r.path(i), r[i].node) })
	}
}

// paths lists what is selected, sorted; a range counts while it is being chosen.
func (s *selection) paths(r rows, cursor int) []string {
	out := slices.Collect(maps.Keys(s.marks.sizes))
	s.eachInRange(r, cursor, func(path string, _ *memstore.Node) {
		if !s.marks.has(path) {
			out = append(out, path)
		}
	})
	slices.Sort(out)
	return out
}

// count counts the paths, and the bytes that they hold.
func (s *selection) count(r rows, cursor int) (count int, bytes int64) {
	if !s.span.on {
		return len(s.marks.sizes), s.marks.bytes()
	}
	with := marks{sizes: maps.Clone(s.marks.sizes), folders: s.marks.folders}
	s.eachInRange(r, cursor, with.add)
	return len(with.sizes), with.bytes()
}

// addRange selects the range, which ends.
func (s *selection) addRange(r rows, cursor int) {
	s.eachInRange(r, cursor, s.marks.add)
	s.span.on = false
}

// invert selects the rows that are not selected, and no others.
func (s *selection) invert(r rows) {
	s.span.on = false
	r.eachMarkable(0, len(r)-1, func(i int) { s.marks.toggle(r.path(i), r[i].node) })
}

// all selects every row, or clears the selection if they all are selected.
func (s *selection) all(r rows) {
	s.span.on = false
	all := true
	r.eachMarkable(0, len(r)-1, func(i int) {
		all = all && s.marks.has(r.path(i))
		s.marks.add(r.path(i), r[i].node)
	})
	if all {
		s.marks = marks{}
	}
}

// glyph is the sign in front of a row that is selected, or in the range.
func (s *selection) glyph(r rows, i, cursor int, g theme.Glyphs) string {
	if s.marks.has(r.path(i)) {
		return g.Mark
	}
	glyph := ""
	if from, to := s.span.bounds(cursor); s.span.on && from <= i && i <= to {
		r.eachMarkable(i, i, func(int) { glyph = g.Range })
	}
	return glyph
}
