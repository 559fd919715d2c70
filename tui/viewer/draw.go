package viewer

import (
	"strconv"
	"strings"

	"memcurator/render/bigfile"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/pane"
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

// Rows implements [pane.Pane].
func (p *Pane) Rows(focused bool) []string {
	if p.doc == nil {
		return p.fill(nil, pane.TextOpening)
	}
	pos := p.pos
	if p.covered(pos) {
		p.shown = pos
	} else {
		pos = p.shown
	}
	out := make([]string, 0, p.h)
	bar := p.scrollbar(pos)
	skip := pos.sub
	for row := pos.top; len(out) < p.h && row < p.doc.lines(); row++ {
		drawn := p.drawRow(row, pos, focused)
		for _, cells := range drawn[min(skip, len(drawn)-1):] {
			if len(out) == p.h {
				break
			}
			out = append(out, cells+bar(len(out)))
		}
		skip = 0
	}
	return p.fill(out, "")
}

func (p *Pane) fill(out []string, message string) []string {
	if message != "" && len(out) < p.h {
		out = append(out, p.env.Styles.Dim.Apply(text.Pad(" "+message, p.w)))
	}
	blank := strings.Repeat(" ", p.w)
	for len(out) < p.h {
		out = append(out, blank)
	}
	return out
}

// drawRow draws one row of the tool's text as one or, wrapped, several screen rows of w-1 cells.
func (p *Pane) drawRow(row int, pos position, focused bool) []string {
	st := p.env.Styles
	base := st.Text
	current := row == pos.line && focused
	if current {
		base = st.Selected
	}
	content, ok := p.rowText(row)
	if !ok {
		return []string{strings.Repeat(" ", max(0, p.w-1))}
	}
	line, _ := p.bodyLine(row)
	if row < p.doc.headRows() && !current {
		base = p.headPaint(row)
	}
	if p.wrap {
		return p.drawWrapped(row, content, line, base, current)
	}
	cells := p.drawCells(content, p.startCol(row), pos.col, p.rowWidth(row), base)
	return []string{p.gutter(row, content, current) + p.number(row, line, true, base) + cells}
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

// startCol and rowWidth: only the rows of the body stand behind a row number.
func (p *Pane) startCol(row int) int {
	if row < p.doc.headRows() || !p.doc.numbered {
		return 0
	}
	return numberCells
}

func (p *Pane) rowWidth(row int) int { return max(1, p.w-2-p.startCol(row)) }

// wrapRow breaks a row into screen rows; an empty row is one.
func (p *Pane) wrapRow(row int, content []byte) []text.Row {
	return text.Wrap(nil, content, p.rowWidth(row), p.env.Text(p.startCol(row)))
}

// cutRows is 1 when a wrapped line ends with a word about the rest that was not read.
func cutRows(line bigfile.Line) int {
	if line.Length > int64(len(line.Text)) {
		return 1
	}
	return 0
}

func (p *Pane) drawWrapped(row int, content []byte, line bigfile.Line, base theme.Paint, current bool) []string {
	var out []string
	for i, part := range p.wrapRow(row, content) {
		head := p.gutter(row, content, current && i == 0) + p.number(row, line, i == 0, base)
		out = append(out, head+p.drawCells(content[part.Start:part.End], part.Col, 0, p.rowWidth(row), base))
	}
	if cutRows(line) > 0 {
		note := p.drawCells([]byte(pane.TextLineCut), 0, 0, p.rowWidth(row), p.env.Styles.Dim)
		out = append(out, " "+p.number(row, line, false, base)+note)
	}
	return out
}

// gutter is the one column left of the tool's text that is ours.
func (p *Pane) gutter(row int, content []byte, current bool) string {
	st := p.env.Styles
	if current {
		return st.Accent.Apply(st.Glyphs.Cursor)
	}
	if p.search.query.Text != "" && row >= p.doc.headRows() && len(p.doc.matches(content, p.search.query)) > 0 {
		return st.Match.Apply(">")
	}
	return " "
}

func (d *document) matches(line []byte, q bigfile.Query) [][2]int {
	if d.body == nil || q.Text == "" || len(line) == 0 {
		return nil
	}
	return d.body.Matches(line, q)
}

// number draws the tool's row number: six wide, then the tab.
func (p *Pane) number(row int, line bigfile.Line, first bool, base theme.Paint) string {
	if p.startCol(row) == 0 {
		return ""
	}
	if !first {
		return strings.Repeat(" ", numberCells)
	}
	n := strconv.Itoa(line.Number + 1)
	cells := strings.Repeat(" ", max(0, 6-len(n))) + n
	paint := p.env.Styles.Number
	if base == p.env.Styles.Selected {
		paint = base
	}
	return paint.Apply(cells + strings.Repeat(" ", max(0, numberCells-len(cells))))
}

// drawCells draws the cells [col, col+width) of text that starts in column startCol,
// matches marked, exactly width wide.
func (p *Pane) drawCells(line []byte, startCol, col, width int, base theme.Paint) string {
	var b strings.Builder
	o := p.env.Text(startCol)
	room, at, done := width, 0, 0
	emit := func(part []byte, paint theme.Paint) {
		o.StartCol = startCol + at
		partWidth := text.Column(part, len(part), o)
		if room > 0 && at+partWidth > col {
			for _, s := range text.Window(part, max(0, col-at), room, o) {
				b.WriteString(p.spanPaint(s, paint, base).Apply(s.Text))
				room -= s.Width
			}
		}
		at += partWidth
	}
	matches := p.doc.matches(line, p.search.query)
	if len(matches) == 0 {
		for _, s := range text.Window(line, col, width, o) {
			b.WriteString(p.spanPaint(s, base, base).Apply(s.Text))
			room -= s.Width
		}
	}
	for _, m := range matches {
		emit(line[done:m[0]], base)
		emit(line[m[0]:m[1]], p.env.Styles.Match)
		done = m[1]
	}
	if len(matches) > 0 {
		emit(line[done:], base)
	}
	if room > 0 {
		b.WriteString(base.Apply(strings.Repeat(" ", room)))
	}
	return b.String()
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

// scrollbar returns the cell of the right margin for each screen row.
func (p *Pane) scrollbar(pos position) func(i int) string {
	st := p.env.Styles
	total := p.doc.lines()
	if total <= p.h || p.h == 0 {
		return func(int) string { return " " }
	}
	size := max(1, p.h*p.h/total)
	at := (p.h - size) * pos.top / max(1, total-p.h)
	return func(i int) string {
		if i >= at && i < at+size {
			return st.Dim.Apply(st.Glyphs.ScrollThumb)
		}
		return st.Dim.Apply(st.Glyphs.ScrollTrack)
	}
}

// Cursor implements [pane.Pane].
func (p *Pane) Cursor() (pane.Point, bool) {
	y := p.pos.line - p.pos.top
	return pane.Point{X: 0, Y: max(0, min(y, p.h-1))}, p.doc != nil
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
