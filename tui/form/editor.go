package form

import (
	"strings"

	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// editor shows a buffer: lines wrapped, or one row that scrolls sideways. The editors of
// bubbles cannot serve here: they replace tabs and control characters in what is typed,
// and what a memory command writes must be what was typed.
type editor struct {
	buffer
	env  *ui.Env
	w, h int
	top  int // first line on the screen
	sub  int // first screen row of it that is shown
	from int // single: first cell that is shown
	goal int // cell that going up and down keeps to; -1: that of the cursor

	cache map[int]wrapped
}

// wrapped is how a line breaks; it is valid for this line and width only.
type wrapped struct {
	line  string
	width int
	rows  []text.Row
}

// maxCached bounds the lines whose breaks are remembered.
const maxCached = 1024

func newEditor(env *ui.Env, content string, single bool) *editor {
	return &editor{buffer: newBuffer(content, single), env: env, goal: -1, cache: map[int]wrapped{}}
}

func (e *editor) options() text.Options { return e.env.Text(0) }

// wrap breaks a line; the last cell of a screen row is kept free for the cursor.
func (e *editor) wrap(i int) []text.Row {
	width := max(1, e.w-1)
	line := e.lines[i]
	if c, ok := e.cache[i]; ok && c.width == width && c.line == line {
		return c.rows
	}
	if len(e.cache) >= maxCached {
		clear(e.cache)
	}
	rows := text.Wrap(nil, []byte(line), width, e.options())
	e.cache[i] = wrapped{line, width, rows}
	return rows
}

// subOf is the screen row of the cursor within its line.
func (e *editor) subOf() int {
	rows := e.wrap(e.row)
	i := len(rows) - 1
	for i > 0 && rows[i].Start > e.col {
		i--
	}
	return i
}

// cell is the cell of the cursor within its screen row.
func (e *editor) cell() int {
	part := e.wrap(e.row)[e.subOf()]
	return e.column(part, e.col)
}

func (e *editor) column(part text.Row, col int) int {
	return text.Column([]byte(e.line()[part.Start:part.End]), col-part.Start, e.env.Text(part.Col))
}

// vertical moves the cursor by screen rows, as near as possible to the cell it started from.
func (e *editor) vertical(by int) {
	goal := e.goal
	if goal < 0 {
		goal = e.cell()
	}
	row, sub := e.row, e.subOf()
	row, sub = e.steps(row, sub, by)
	e.moveTo(row, e.atCell(row, sub, goal))
	e.goal = goal
}

// steps goes so many screen rows down, or up, as there are.
func (e *editor) steps(row, sub, by int) (int, int) {
	for ; by > 0; by-- {
		switch {
		case sub < len(e.wrap(row))-1:
			sub++
		case row < len(e.lines)-1:
			row, sub = row+1, 0
		default:
			return row, sub
		}
	}
	for ; by < 0; by++ {
		switch {
		case sub > 0:
			sub--
		case row > 0:
			row--
			sub = len(e.wrap(row)) - 1
		default:
			return row, sub
		}
	}
	return row, sub
}

// atCell is the byte at a cell of a screen row.
func (e *editor) atCell(row, sub, cell int) int {
	rows := e.wrap(row)
	part := rows[sub]
	line := e.lines[row][part.Start:part.End]
	at := text.ByteAt([]byte(line), cell, e.env.Text(part.Col))
	if at >= len(line) && sub < len(rows)-1 {
		at = before(line, len(line), e.options()) // behind it the next screen row begins
	}
	return part.Start + at
}

// clicked puts the cursor at a cell of the editor's place.
func (e *editor) clicked(x, y int) {
	e.goal = -1
	if e.single {
		e.moveTo(0, text.ByteAt([]byte(e.line()), e.from+x, e.options()))
		return
	}
	row, sub := e.steps(e.top, e.sub, y)
	e.moveTo(row, e.atCell(row, sub, x))
}

// resize tells the editor its place.
func (e *editor) resize(w, h int) { e.w, e.h = max(1, w), h }

// reveal scrolls as little as needed to have the cursor in sight.
func (e *editor) reveal() {
	if e.single {
		at := text.Column([]byte(e.line()), e.col, e.options())
		e.from = max(0, min(e.from, at), at-e.w+1)
		return
	}
	if e.h <= 0 {
		return
	}
	e.top = min(e.top, len(e.lines)-1)
	e.sub = min(e.sub, len(e.wrap(e.top))-1)
	row, sub := e.row, e.subOf()
	if row < e.top || row == e.top && sub < e.sub {
		e.top, e.sub = row, sub
	}
	if top, first := e.steps(row, sub, 1-e.h); top > e.top || top == e.top && first > e.sub {
		e.top, e.sub = top, first
	}
	// No empty rows below the end while there is text above.
	last := len(e.lines) - 1
	if top, first := e.steps(last, len(e.wrap(last))-1, 1-e.h); top < e.top || top == e.top && first < e.sub {
		e.top, e.sub = top, first
	}
}

// cursor is the cell of the cursor within the place of the editor.
func (e *editor) cursor() ui.Point {
	e.reveal()
	if e.single {
		at := text.Column([]byte(e.line()), e.col, e.options()) - e.from
		return ui.Point{X: max(0, min(at, e.w-1))}
	}
	y, row, sub := 0, e.top, e.sub
	for wantRow, wantSub := e.row, e.subOf(); y < e.h-1 && (row != wantRow || sub != wantSub); y++ {
		row, sub = e.steps(row, sub, 1)
	}
	return ui.Point{X: max(0, min(e.cell(), e.w-1)), Y: y}
}

// rows draws the text; placeholder stands for an empty one.
func (e *editor) rows(placeholder string) []string {
	e.reveal()
	st := e.env.Styles
	out := make([]string, 0, e.h)
	if e.empty() && e.h > 0 {
		out = append(out, st.Dim.Apply(text.Pad(text.Truncate(placeholder, e.w, st.Glyphs.Ellipsis), e.w)))
	} else if e.single {
		out = append(out, e.row1())
	} else {
		out = e.wrappedRows(out)
	}
	for len(out) < e.h {
		out = append(out, strings.Repeat(" ", e.w))
	}
	return out
}

func (e *editor) row1() string {
	return draw(text.Window([]byte(e.line()), e.from, e.w, e.options()), e.w, e.env.Styles)
}

func (e *editor) wrappedRows(out []string) []string {
	row, sub := e.top, e.sub
	for len(out) < e.h {
		part := e.wrap(row)[sub]
		line := []byte(e.lines[row][part.Start:part.End])
		out = append(out, draw(text.Window(line, 0, e.w, e.env.Text(part.Col)), e.w, e.env.Styles))
		next, nextSub := e.steps(row, sub, 1)
		if next == row && nextSub == sub {
			break
		}
		row, sub = next, nextSub
	}
	return out
}

// draw paints spans of a text and fills them up to w cells; what was made visible looks different.
func draw(spans []text.Span, w int, st *theme.Styles) string {
	var b strings.Builder
	for _, s := range spans {
		switch s.Kind {
		case text.Control, text.Invisible:
			b.WriteString(st.Control.Apply(s.Text))
		case text.Invalid:
			b.WriteString(st.Invalid.Apply(s.Text))
		default:
			b.WriteString(st.Text.Apply(s.Text))
		}
	}
	b.WriteString(strings.Repeat(" ", max(0, w-text.Total(spans))))
	return b.String()
}
