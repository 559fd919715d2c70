package diff

import "sort"

// layout is the common part of the unified and the split view: runs of rows
// of one kind, by the number of their first row.
type layout struct {
	a, b     *cursor
	segments []segment
	headers  [][]byte
	words    *wordCache
	moves    *moves
	rows     int
}

// segment is a run of rows of one kind.
type segment struct {
	kind  RowKind
	begin bool // a changed block begins here
	row   int  // its first row
	a, b  int  // line numbers of the first row, from 0
	rows  int
	// which depends on kind. HunkHeader, Note: index in headers. Unified Removed,
	// Added: index in blocks, or -1. Split NoNewline: the sides, as bits.
	which int
}

// showsA and showsB report on which sides a segment has lines.
func (s segment) showsA() bool { return s.kind == Context || s.kind == Removed || s.kind == changed }
func (s segment) showsB() bool { return s.kind == Context || s.kind == Added || s.kind == changed }

func newLayout(r *Result, a, b Text) layout {
	v := layout{a: a.cursor(), b: b.cursor(), words: newWordCache(a, b), moves: findMoves(r, a, b)}
	switch {
	case r.Rewritten:
		v.heading(Note, []byte(NoteRewritten))
	case r.Approximate:
		v.heading(Note, []byte(noteApproximate))
	}
	return v
}

func (v *layout) heading(kind RowKind, text []byte) {
	v.add(segment{kind: kind, rows: 1, which: len(v.headers)})
	v.headers = append(v.headers, text)
}

func (v *layout) add(s segment) {
	s.row = v.rows
	v.segments = append(v.segments, s)
	v.rows += s.rows
}

// Len is the number of rows; 0 if the texts are equal.
func (v *layout) Len() int { return v.rows }

// each calls draw for rows first to first+count-1, as far as they exist.
func (v *layout) each(first, count int, draw func(s segment, i int)) {
	first = max(first, 0)
	end := min(first+max(count, 0), v.rows)
	if first >= end {
		return
	}
	for k := v.segment(first); first < end; k++ {
		s := v.segments[k]
		for ; first < end && first < s.row+s.rows; first++ {
			draw(s, first-s.row)
		}
	}
}

// segment returns the segment of a row.
func (v *layout) segment(row int) int {
	return sort.Search(len(v.segments), func(k int) bool { return v.segments[k].row > row }) - 1
}

// Find returns the row of a line, given its numbers in a and b as in Row,
// either of which may be 0; -1 if there is none. With both, they must be on
// one row.
func (v *layout) Find(a, b int) int {
	for _, s := range v.segments {
		i := -1
		switch {
		case a > 0 && s.showsA() && (b == 0 || s.showsB()):
			i = a - 1 - s.a
			if b > 0 && b-1-s.b != i {
				continue
			}
		case a == 0 && b > 0 && s.showsB():
			i = b - 1 - s.b
		}
		if i >= 0 && i < s.rows {
			return s.row + i
		}
	}
	return -1
}

// Nearest returns the row of the line closest to line b of the second text
// or, if b is 0, to line a of the first; -1 if no row shows a line of that
// text.
func (v *layout) Nearest(a, b int) int {
	best, least := -1, 0
	for _, s := range v.segments {
		var i int
		switch {
		case b > 0 && s.showsB():
			i = b - 1 - s.b
		case b == 0 && s.showsA():
			i = a - 1 - s.a
		default:
			continue
		}
		at := max(0, min(i, s.rows-1))
		if far := max(i-at, at-i); best < 0 || far < least {
			best, least = s.row+at, far
		}
	}
	return best
}

// NextChange returns the first row of the nearest changed block that begins
// below row, PrevChange of the one that begins above it; -1 if there is none.
func (v *layout) NextChange(row int) int {
	for k := v.segment(row) + 1; k < len(v.segments); k++ {
		if v.segments[k].begin {
			return v.segments[k].row
		}
	}
	return -1
}

// PrevChange is the counterpart of NextChange.
func (v *layout) PrevChange(row int) int {
	for k := min(v.segment(row-1), len(v.segments)-1); k >= 0; k-- {
		if v.segments[k].begin {
			return v.segments[k].row
		}
	}
	return -1
}

// left returns line i of a as a row of the given kind, right line j of b.
// partner is the line of the other side to compare words with, or -1.
func (v *layout) left(kind RowKind, i, partner int) Row {
	row := Row{Kind: kind, ANumber: i + 1, Text: v.a.line(i)}
	if kind != Context {
		row.Moved = v.moves.target(i) + 1
	}
	if row.Moved == 0 && partner >= 0 {
		row.Words = v.words.of(linePair{i, partner}).a
	}
	return row
}

func (v *layout) right(kind RowKind, j, partner int) Row {
	row := Row{Kind: kind, BNumber: j + 1, Text: v.b.line(j)}
	if kind != Context {
		row.Moved = v.moves.source(j) + 1
	}
	if row.Moved == 0 && partner >= 0 {
		row.Words = v.words.of(linePair{partner, j}).b
	}
	return row
}
