package viewer

import (
	"strconv"
	"strings"

	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// Rows implements [ui.Pane].
func (p *Pane) Rows(focused bool) []string {
	if p.layout.doc == nil {
		return ui.FillRows(ui.Notice(p.env, ui.TextOpening, p.layout.w), p.layout.w, p.layout.h)
	}
	f := frame{env: p.env, layout: &p.layout, search: &p.Finder, pos: p.view.onScreen(), focused: focused, out: make([]string, 0, p.layout.h)}
	f.bar = p.layout.scrollbar(f.pos)
	last := p.layout.known()
	for row, skip := f.pos.top, f.pos.sub; len(f.out) < p.layout.h && row < last; row++ {
		f.row(row, skip)
		skip = 0
	}
	return ui.FillRows(f.out, p.layout.w, p.layout.h)
}

// frame collects the screen rows of one drawing.
type frame struct {
	env     *ui.Env
	layout  *layout
	search  *Finder
	pos     position
	focused bool
	bar     func(i int) string
	out     []string
}

// shape is how one row of the tool's text is drawn.
type shape struct {
	row     int
	text    []byte
	line    piece // of the body
	marks   [][2]int
	current int // place in marks of the match under the cursor, or -1
	base    theme.Paint
	cursor  bool
}

// row draws one row of the tool's text as one or, wrapped, several screen rows, without the first skip of them.
func (f *frame) row(row, skip int) {
	s := shape{row: row, current: -1, base: f.env.Styles.Text, cursor: row == f.pos.line && f.focused}
	if row < f.layout.doc.headRows() {
		s.text, s.base = []byte(f.layout.doc.headRow(row)), f.headPaint(row)
	} else if i, ok := f.layout.onPage(row); ok {
		s.line = f.layout.win.lines[i]
		s.text, s.marks = s.line.Text, f.search.marks(i)
		s.current = f.search.place(s.line, s.marks)
	} else {
		f.add(strings.Repeat(" ", max(0, f.layout.w-1)))
		return
	}
	if s.cursor {
		s.base = f.env.Styles.Selected
	}
	if f.layout.wrap {
		f.wrapped(s, skip)
		return
	}
	f.add(f.gutter(s, true) + f.number(s, true) + f.drawCells(s, 0, len(s.text), f.layout.startCol(row), f.pos.col))
}

func (f *frame) add(cells string) { f.out = append(f.out, cells+f.bar(len(f.out))) }

const (
	textLineCut   = "line continues: {motion/right} shows more, {view/line-end} its end"
	textLineBegan = "line continues on the left: {motion/left} shows more, {view/line-start} its start"
)

// wrapped draws the screen rows from skip on that fit.
func (f *frame) wrapped(s shape, skip int) {
	var parts []text.Row
	if i, ok := f.layout.onPage(s.row); ok {
		parts = f.layout.wrapBody(i)
	} else {
		parts = f.layout.wrapHead(s.row)
	}
	skip = min(skip, f.layout.height(s.row)-1)
	at := 0 // number of the screen row
	emit := func(draw func() string) {
		if at >= skip && len(f.out) < f.layout.h {
			f.add(draw())
		}
		at++
	}
	if f.notLoadedFrom(s) {
		emit(func() string { return f.note(s, at == skip, f.layout.doc.gapText()) })
	}
	if s.line.from > 0 {
		emit(func() string { return f.note(s, at == skip, textLineBegan) })
	}
	if at+len(parts) <= skip {
		at += len(parts)
		parts = nil
	} else if at < skip {
		parts, at = parts[skip-at:], skip
	}
	for _, part := range parts[:min(len(parts), f.layout.h)] {
		emit(func() string {
			head := f.gutter(s, at == skip) + f.number(s, part.Start == 0 && s.line.from == 0)
			return head + f.drawCells(s, part.Start, part.End, part.Col, 0)
		})
	}
	if s.line.more() {
		emit(func() string { return f.note(s, at == skip, textLineCut) })
	}
}

// note is a row of the program's own in a line that is too long for one page.
func (f *frame) note(s shape, first bool, sentence string) string {
	width := f.layout.rowWidth(s.row)
	return f.gutter(s, first) + f.number(s, false) + f.env.Styles.Dim.Apply(text.Pad(f.env.Keyed(sentence), width))
}

func (f *frame) headPaint(row int) theme.Paint {
	switch {
	case row == 1:
		return f.env.Styles.Dim
	case f.layout.doc.refused:
		return f.env.Styles.Error
	default:
		return f.env.Styles.Text
	}
}

// gutter is the one column left of the tool's text that is ours.
func (f *frame) gutter(s shape, first bool) string {
	st := f.env.Styles
	switch {
	case first && s.cursor:
		return st.Accent.Apply(st.Glyphs.Cursor)
	case first && len(s.marks) > 0:
		return st.Match.Apply(">")
	case f.layout.doc.notLoaded(s.row - f.layout.doc.headRows()):
		return st.Dim.Apply(st.Glyphs.Beyond)
	default:
		return " "
	}
}

// number draws the tool's row number: six wide, then the tab.
func (f *frame) number(s shape, first bool) string {
	if f.layout.startCol(s.row) == 0 {
		return ""
	}
	if !first {
		return strings.Repeat(" ", numberCells)
	}
	n := strconv.Itoa(s.line.Number + 1)
	cells := strings.Repeat(" ", max(0, 6-len(n))) + n
	paint := f.env.Styles.Number
	if s.cursor {
		paint = s.base
	}
	return paint.Apply(cells + strings.Repeat(" ", max(0, numberCells-len(cells))))
}

// Place describes the position for the status line.
func (p *Pane) Place() string {
	if p.layout.doc == nil {
		return ""
	}
	total := strconv.Itoa(max(0, p.layout.doc.lines()-p.layout.doc.headRows()))
	if p.layout.doc.body != nil && !p.layout.doc.body.Facts().Complete {
		total += "+"
	}
	return strconv.Itoa(max(0, p.view.pos.line-p.layout.doc.headRows()+1)) + "/" + total
}

// notLoadedFrom reports whether the note about what is not loaded is above this row.
func (f *frame) notLoadedFrom(s shape) bool {
	_, body := f.layout.onPage(s.row)
	return body && f.layout.doc.gap.Some && s.line.from == 0 && s.line.Number == f.layout.doc.gap.From
}
