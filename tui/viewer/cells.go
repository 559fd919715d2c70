package viewer

import (
	"sort"
	"strings"

	"memcurator/render/text"
	"memcurator/render/theme"
)

// cells draws a run of cells of exactly the room it was given.
type cells struct {
	p    *Pane
	out  strings.Builder
	base theme.Paint
	room int
	from int // first cell to draw
	at   int // cell where the next part begins
	o    text.Options
	tab  int // column of cell 0, for tab stops
}

// drawCells draws bytes from to of a row, the first of which stands in column startCol:
// its cells from col on as far as there is room, matches marked.
func (p *Pane) drawCells(s shape, from, to, startCol, col int) string {
	c := cells{p: p, base: s.base, room: p.rowWidth(s.row), from: col, o: p.env.Text(startCol), tab: startCol}
	if len(s.marks) == 0 {
		c.part(s.text[from:to], s.base)
	} else {
		c.marked(s, from, to)
	}
	if c.room > 0 {
		c.out.WriteString(s.base.Apply(strings.Repeat(" ", c.room)))
	}
	return c.out.String()
}

// marked draws a part with matches in it. Matches left of the screen are passed over
// by search, not by drawing: a long line may have thousands.
func (c *cells) marked(s shape, from, to int) {
	done := from + text.ByteAt(s.text[from:to], c.from, c.o)
	c.at = text.Column(s.text[from:to], done-from, c.o)
	k := sort.Search(len(s.marks), func(k int) bool { return s.marks[k][1] > done })
	for ; k < len(s.marks) && c.room > 0; k++ {
		start, end := max(done, s.marks[k][0]), min(to, s.marks[k][1])
		if start >= to {
			break
		}
		paint := c.p.env.Styles.Match
		if k == s.current {
			paint = c.p.env.Styles.MatchCurrent
		}
		c.part(s.text[done:start], s.base)
		c.part(s.text[start:end], paint)
		done = end
	}
	c.part(s.text[done:to], s.base)
}

// part draws the next bytes.
func (c *cells) part(b []byte, paint theme.Paint) {
	if c.room <= 0 || len(b) == 0 {
		return
	}
	c.o.StartCol = c.tab + c.at
	for _, s := range text.Window(b, max(0, c.from-c.at), c.room, c.o) {
		c.out.WriteString(c.p.spanPaint(s, paint, c.base).Apply(s.Text))
		c.room -= s.Width
	}
	if c.room > 0 {
		c.at += text.Column(b, len(b), c.o)
	}
}

func (p *Pane) spanPaint(s text.Span, paint, base theme.Paint) theme.Paint {
	st := p.env.Styles
	switch {
	case paint != base:
		return paint
	case s.Kind == text.Control, s.Kind == text.Invisible:
		return base.With(st.Control)
	case s.Kind == text.Invalid:
		return base.With(st.Invalid)
	default:
		return paint
	}
}
