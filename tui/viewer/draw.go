package viewer

import (
	"strconv"
	"strings"

	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// numberCells is the width of the tool's row number and its tab: six digits, then
// up to the next tab stop.
const numberCells = 8

func (p *Pane) numbered() bool { return p.doc != nil && p.doc.numbered }

// contentWidth is what is left for a line beside gutter, row number and scroll bar.
func (p *Pane) contentWidth() int {
	w := p.w - 2
	if p.numbered() {
		w -= numberCells
	}
	return max(1, w)
}

// textOptions place tab stops where the terminal would have them in the tool's own text.
func (p *Pane) textOptions() text.Options {
	if p.numbered() {
		return p.env.Text(numberCells)
	}
	return p.env.Text(0)
}

// startCol and rowWidth: only the rows of the body stand behind a row number.
func (p *Pane) startCol(row int) int {
	if row < p.doc.headRows() || !p.doc.numbered {
		return 0
	}
	return numberCells
}

func (p *Pane) rowWidth(row int) int { return max(1, p.w-2-p.startCol(row)) }

// wrapHead and wrapBody break a row into screen rows; an empty row is one.
func (p *Pane) wrapHead(row int) []text.Row {
	return text.Wrap(nil, []byte(p.doc.headRow(row)), p.rowWidth(row), p.env.Text(0))
}

func (p *Pane) wrapBody(i int) []text.Row { return p.wrapped(i, p.contentWidth(), p.textOptions()) }

// Rows implements [ui.Pane].
func (p *Pane) Rows(focused bool) []string {
	if p.doc == nil {
		return ui.FillRows(ui.Notice(p.env, ui.TextOpening, p.w), p.w, p.h)
	}
	f := frame{p: p, pos: p.onScreen(), focused: focused, out: make([]string, 0, p.h)}
	f.bar = p.scrollbar(f.pos)
	last := p.known()
	for row, skip := f.pos.top, f.pos.sub; len(f.out) < p.h && row < last; row++ {
		f.row(row, skip)
		skip = 0
	}
	return ui.FillRows(f.out, p.w, p.h)
}

// frame collects the screen rows of one drawing.
type frame struct {
	p       *Pane
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
	p := f.p
	s := shape{row: row, current: -1, base: p.env.Styles.Text, cursor: row == f.pos.line && f.focused}
	if row < p.doc.headRows() {
		s.text, s.base = []byte(p.doc.headRow(row)), p.headPaint(row)
	} else if i, ok := p.onPage(row); ok {
		s.line = p.win.lines[i]
		s.text, s.marks = s.line.Text, p.marks(i)
		s.current = p.search.place(s.line, s.marks)
	} else {
		f.add(strings.Repeat(" ", max(0, p.w-1)))
		return
	}
	if s.cursor {
		s.base = p.env.Styles.Selected
	}
	if p.wrap {
		f.wrapped(s, skip)
		return
	}
	f.add(p.gutter(s, true) + p.number(s, true) + p.drawCells(s, 0, len(s.text), p.startCol(row), f.pos.col))
}

func (f *frame) add(cells string) { f.out = append(f.out, cells+f.bar(len(f.out))) }

const (
	textLineCut   = "this line goes on: {motion/right} shows the next part, {view/line-end} its end"
	textLineBegan = "this line began before: {motion/left} shows the part before, {view/line-start} its start"
)

// wrapped draws the screen rows from skip on that fit.
func (f *frame) wrapped(s shape, skip int) {
	p := f.p
	var parts []text.Row
	if i, ok := p.onPage(s.row); ok {
		parts = p.wrapBody(i)
	} else {
		parts = p.wrapHead(s.row)
	}
	skip = min(skip, p.height(s.row)-1)
	at := 0 // number of the screen row
	emit := func(draw func() string) {
		if at >= skip && len(f.out) < p.h {
			f.add(draw())
		}
		at++
	}
	if p.notLoadedFrom(s) {
		emit(func() string { return p.note(s, at == skip, "not loaded by itself from here on") })
	}
	if s.line.from > 0 {
		emit(func() string { return p.note(s, at == skip, textLineBegan) })
	}
	if at+len(parts) <= skip {
		at += len(parts)
		parts = nil
	} else if at < skip {
		parts, at = parts[skip-at:], skip
	}
	for _, part := range parts[:min(len(parts), p.h)] {
		emit(func() string {
			head := p.gutter(s, at == skip) + p.number(s, part.Start == 0 && s.line.from == 0)
			return head + p.drawCells(s, part.Start, part.End, part.Col, 0)
		})
	}
	if s.line.more() {
		emit(func() string { return p.note(s, at == skip, textLineCut) })
	}
}

// note is a row of the program's own in a line that is too long for one page.
func (p *Pane) note(s shape, first bool, sentence string) string {
	width := p.rowWidth(s.row)
	return p.gutter(s, first) + p.number(s, false) + p.env.Styles.Dim.Apply(text.Pad(p.env.Keyed(sentence), width))
}

func (p *Pane) headPaint(row int) theme.Paint {
	switch {
	case row == 1:
		return p.env.Styles.Dim
	case p.doc.refused:
		return p.env.Styles.Error
	default:
		return p.env.Styles.Text
	}
}

// gutter is the one column left of the tool's text that is ours.
func (p *Pane) gutter(s shape, first bool) string {
	st := p.env.Styles
	switch {
	case first && s.cursor:
		return st.Accent.Apply(st.Glyphs.Cursor)
	case first && len(s.marks) > 0:
		return st.Match.Apply(">")
	case p.doc.cut > 0 && s.row-p.doc.headRows() >= p.doc.cut:
		return st.Dim.Apply(st.Glyphs.Beyond)
	default:
		return " "
	}
}

// number draws the tool's row number: six wide, then the tab.
func (p *Pane) number(s shape, first bool) string {
	if p.startCol(s.row) == 0 {
		return ""
	}
	if !first {
		return strings.Repeat(" ", numberCells)
	}
	n := strconv.Itoa(s.line.Number + 1)
	cells := strings.Repeat(" ", max(0, 6-len(n))) + n
	paint := p.env.Styles.Number
	if s.cursor {
		paint = s.base
	}
	return paint.Apply(cells + strings.Repeat(" ", max(0, numberCells-len(cells))))
}

// scrollbar returns the cell of the right margin for each screen row.
func (p *Pane) scrollbar(pos position) func(i int) string {
	total := p.doc.lines()
	if total <= p.h || p.h == 0 {
		return ui.NoScrollbar
	}
	size := max(1, p.h*p.h/total)
	at := (p.h - size) * min(pos.top, total-p.h) / max(1, total-p.h)
	return ui.Scrollbar(p.env.Styles, at, size)
}

// Place describes the position for the status line.
func (p *Pane) Place() string {
	if p.doc == nil {
		return ""
	}
	total := strconv.Itoa(max(0, p.doc.lines()-p.doc.headRows()))
	if p.doc.body != nil && !p.doc.body.Facts().Complete {
		total += "+"
	}
	return strconv.Itoa(max(0, p.pos.line-p.doc.headRows()+1)) + "/" + total
}

// place finds the match under the cursor among those of a line, -1 for none.
func (s *searchState) place(line piece, marks [][2]int) int {
	if !s.has || s.line != line.Number {
		return -1
	}
	for i, m := range marks {
		if line.from+int64(m[0]) == s.start {
			return i
		}
	}
	return -1
}
