package viewer

import (
	"sort"

	"memcurator/render/text"
	"memcurator/tui/ui"
)

// drawCells draws bytes from to of a row, the first of which is in column startCol:
// its cells from col on as far as there is room, matches marked.
func (f *frame) drawCells(s shape, from, to, startCol, col int) string {
	c := ui.Cells{Env: f.env, Line: s.text, Room: f.layout.rowWidth(s.row), First: col, Start: startCol}
	if len(s.marks) > 0 {
		from = f.marked(&c, s, from, to)
	}
	c.Add(from, to, s.base)
	return c.String(s.base)
}

// marked draws a part with matches in it as far as the last of them, and returns where that ends.
// Matches left of the screen are passed over by search, not by drawing: a long line may have thousands.
func (f *frame) marked(c *ui.Cells, s shape, from, to int) int {
	o := f.env.Text(c.Start)
	done := from + text.ByteAt(s.text[from:to], c.First, o)
	c.At = text.Column(s.text[from:to], done-from, o)
	k := sort.Search(len(s.marks), func(k int) bool { return s.marks[k][1] > done })
	for ; k < len(s.marks) && c.Room > 0; k++ {
		start, end := max(done, s.marks[k][0]), min(to, s.marks[k][1])
		if start >= to {
			break
		}
		paint := f.env.Styles.Match
		if k == s.current {
			paint = f.env.Styles.MatchCurrent
		}
		c.Add(done, start, s.base)
		c.AddMatch(start, end, paint)
		done = end
	}
	return done
}
