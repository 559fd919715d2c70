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
	view ui.TextView // of the rows of the wrapped lines
	from int         // single: first cell that is shown
	goal int         // cell that going up and down keeps to; -1: that of the cursor

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
	e := &editor{buffer: newBuffer(content, single), env: env, goal: -1, cache: map[int]wrapped{}}
	e.view = ui.TextView{Count: func() int { return len(e.lines) }, Height: func(i int) int { return len(e.wrap(i)) }, ByRow: true}
	return e
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
	to := ui.Place{Line: e.row, Row: e.subOf()}
	if by > 0 {
		to, _ = e.view.Below(to, by)
	} else {
		to, _ = e.view.Above(to, -by)
	}
	e.moveTo(to.Line, e.atCell(to, goal))
	e.goal = goal
}

// atCell is the byte at a cell of a screen row.
func (e *editor) atCell(at ui.Place, cell int) int {
	rows := e.wrap(at.Line)
	part := rows[at.Row]
	line := e.lines[at.Line][part.Start:part.End]
	col := text.ByteAt([]byte(line), cell, e.env.Text(part.Col))
	if col >= len(line) && at.Row < len(rows)-1 {
		col = before(line, len(line), e.options()) // behind it the next screen row begins
	}
	return part.Start + col
}

// clicked puts the cursor at a cell of the editor's place.
func (e *editor) clicked(x, y int) {
	e.goal = -1
	if e.single {
		e.moveTo(0, text.ByteAt([]byte(e.line()), e.from+x, e.options()))
		return
	}
	at, _ := e.view.Below(e.view.Top, y)
	e.moveTo(at.Line, e.atCell(at, x))
}

// resize sets the editor's place.
func (e *editor) resize(w, h int) { e.w, e.h, e.view.H = max(1, w), h, h }

// reveal scrolls as little as needed to have the cursor in sight.
func (e *editor) reveal() {
	if e.single {
		at := text.Column([]byte(e.line()), e.col, e.options())
		e.from = max(0, min(e.from, at), at-e.w+1)
		return
	}
	e.view.Cursor = ui.Place{Line: e.row, Row: e.subOf()}
	e.view.Reveal()
}

// cursor is the cell of the cursor within the place of the editor.
func (e *editor) cursor() ui.Point {
	e.reveal()
	if e.single {
		at := text.Column([]byte(e.line()), e.col, e.options()) - e.from
		return ui.Point{X: max(0, min(at, e.w-1))}
	}
	return ui.Point{X: max(0, min(e.cell(), e.w-1)), Y: e.view.CursorRow()}
}

// rows draws the text; placeholder replaces an empty one.
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
	return ui.FillRows(out, e.w, e.h)
}

func (e *editor) row1() string {
	return draw(text.Window([]byte(e.line()), e.from, e.w, e.options()), e.w, e.env.Styles)
}

func (e *editor) wrappedRows(out []string) []string {
	for at, n := e.view.Top, 1; len(out) < e.h && n > 0; at, n = e.view.Below(at, 1) {
		part := e.wrap(at.Line)[at.Row]
		line := []byte(e.lines[at.Line][part.Start:part.End])
		out = append(out, draw(text.Window(line, 0, e.w, e.env.Text(part.Col)), e.w, e.env.Styles))
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
