package viewer

import (
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// layout is how the text of a document, as far as it was read, fills rows of w cells: which line is in which row, where it
// breaks, how wide it is.
type layout struct {
	env  *ui.Env
	w, h int
	wrap bool // Long lines wrap, else cut
	doc  *document
	win  *window
}

// numberCells is the width of the tool's row number and its tab: six digits, then
// up to the next tab stop.
const numberCells = 8

func (lay *layout) numbered() bool { return lay.doc != nil && lay.doc.numbered }

// onFile reports whether a file is shown that can be read.
func (lay *layout) onFile() bool { return lay.doc != nil && lay.doc.file != nil }

// contentWidth is the width for a line beside gutter, row number and scroll bar.
func (lay *layout) contentWidth() int {
	w := lay.w - 2
	if lay.numbered() {
		w -= numberCells
	}
	return max(1, w)
}

// textOptions place tab stops where the terminal would have them in the tool's own text.
func (lay *layout) textOptions() text.Options {
	if lay.numbered() {
		return lay.env.Text(numberCells)
	}
	return lay.env.Text(0)
}

// startCol and rowWidth: only the rows of the body have a row number.
func (lay *layout) startCol(row int) int {
	if row < lay.doc.headRows() || !lay.doc.numbered {
		return 0
	}
	return numberCells
}

func (lay *layout) rowWidth(row int) int { return max(1, lay.w-2-lay.startCol(row)) }

// wrapHead and wrapBody break a row into screen rows; an empty row is one.
func (lay *layout) wrapHead(row int) []text.Row {
	return text.Wrap(nil, []byte(lay.doc.headRow(row)), lay.rowWidth(row), lay.env.Text(0))
}

func (lay *layout) wrapBody(i int) []text.Row {
	return lay.wrapped(i, lay.contentWidth(), lay.textOptions())
}

// height is how many screen rows a row takes; 1 where the page is not read yet.
func (lay *layout) height(row int) int {
	if !lay.wrap {
		return 1
	}
	if row < lay.doc.headRows() {
		return len(lay.wrapHead(row))
	}
	i, ok := lay.onPage(row)
	if !ok {
		return 1
	}
	n := len(lay.wrapBody(i))
	line := lay.win.lines[i]
	n += lay.notesAbove(line)
	if line.more() {
		n++ // and one below it
	}
	return n
}

// notesAbove counts the rows of the program's own above a line, where lines wrap.
func (lay *layout) notesAbove(line piece) int {
	switch {
	case line.from > 0:
		return 1 // that the line began before
	case lay.doc.gap.Some && line.Number == lay.doc.gap.From:
		return 1 // that it is not loaded
	}
	return 0
}

// known is the number of rows that are counted or on the page.
func (lay *layout) known() int {
	n := lay.doc.lines()
	if lay.win != nil && lay.win.of == lay.doc && !lay.doc.counted() {
		n = max(n, lay.doc.headRows()+lay.win.first+len(lay.win.lines))
	}
	return n
}

// rowText returns the text of any row, of the head or of the body, as far as it was read.
func (lay *layout) rowText(row int) ([]byte, bool) {
	if row < lay.doc.headRows() {
		return []byte(lay.doc.headRow(row)), true
	}
	line, ok := lay.bodyLine(row)
	return line.Text, ok
}

// bodyLine returns the part of a row's body line that is on the page.
func (lay *layout) bodyLine(row int) (piece, bool) {
	i, ok := lay.onPage(row)
	if !ok {
		return piece{}, false
	}
	return lay.win.lines[i], true
}

// onPage returns the place of a row's line on the page.
func (lay *layout) onPage(row int) (int, bool) {
	if lay.win == nil || lay.win.of != lay.doc || row < lay.doc.headRows() {
		return 0, false
	}
	i := row - lay.doc.headRows() - lay.win.first
	return i, i >= 0 && i < len(lay.win.lines)
}

// cache keeps what is worked out for the lines of a page, so that drawing a frame and
// moving the cursor do not measure long lines again and again.
type cache struct {
	width   int
	options text.Options
	query   wanted
	wraps   [][]text.Row
	widths  []int // cells of the whole part and one more; 0: not measured
	marks   [][][2]int
	marked  []bool
}

// wrapped returns the screen rows of the line at place i of the page.
func (lay *layout) wrapped(i, width int, o text.Options) []text.Row {
	c := lay.measured(width, o)
	if c.wraps[i] == nil {
		c.wraps[i] = text.Wrap(nil, lay.win.lines[i].Text, width, o)
	}
	return c.wraps[i]
}

// cells returns the width of the part of the line at place i of the page.
func (lay *layout) cells(i int) int {
	c := lay.measured(lay.contentWidth(), lay.textOptions())
	if c.widths[i] == 0 {
		c.widths[i] = 1 + text.Column(lay.win.lines[i].Text, len(lay.win.lines[i].Text), c.options)
	}
	return c.widths[i] - 1
}

// measured is the cache, emptied when what was measured holds no longer.
func (lay *layout) measured(width int, o text.Options) *cache {
	c := &lay.win.cache
	if c.wraps == nil || c.width != width || c.options != o {
		n := len(lay.win.lines)
		c.wraps, c.widths, c.width, c.options = make([][]text.Row, n), make([]int, n), width, o
	}
	return c
}

// scrollbar returns the cell of the right margin for each screen row.
func (lay *layout) scrollbar(pos position) func(i int) string {
	total := lay.doc.lines()
	if total <= lay.h || lay.h == 0 {
		return ui.NoScrollbar
	}
	size := max(1, lay.h*lay.h/total)
	at := (lay.h - size) * min(pos.top, total-lay.h) / max(1, total-lay.h)
	return ui.Scrollbar(lay.env.Styles, at, size)
}
