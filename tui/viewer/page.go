package viewer

import (
	"context"
	"errors"
	"io"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/bigfile"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// lineBytes is how much of one line a page holds; the rest of a longer line is
// reached by scrolling sideways, a segment at a time.
const lineBytes = 16 << 10

// segment is how far one step sideways goes in a line longer than lineBytes, in bytes.
// Two segments follow each other on a page, so that nothing is lost between two pages.
const segment = 8 << 10

// everyLine is the line of an [origin] that holds for all lines.
const everyLine = -1

// origin says from which byte on long lines are read: cut lines all scroll together, of
// wrapped lines each has its own parts and only the one that the user went along is
// not shown from its start.
type origin struct {
	base int64 // a multiple of segment
	line int   // body line that base holds for, or everyLine
}

// start returns where the text of a body line of some length begins on the page.
func (o origin) start(line int, length int64) int64 {
	if o.base == 0 || o.line == everyLine {
		return o.base
	}
	if line != o.line || length <= lineBytes {
		return 0
	}
	return min(o.base, lastBase(length))
}

// lastBase is the origin from which the end of a line can be seen, in bytes.
func lastBase(length int64) int64 {
	if length <= lineBytes {
		return 0
	}
	return max(0, (length-1)/segment-1) * segment
}

// piece is the part of a line that a page holds.
type piece struct {
	bigfile.Line       // Text is the part
	from         int64 // byte of the line where Text begins
}

// more reports whether the line goes on behind the part.
func (l piece) more() bool { return l.from+int64(len(l.Text)) < l.Length }

// whole trims the part to whole characters; what is cut off is on the page before
// or behind it.
func (l piece) whole() piece {
	if l.from > 0 {
		for n := 0; n < utf8.UTFMax-1 && len(l.Text) > 0 && !utf8.RuneStart(l.Text[0]); n++ {
			l.Text, l.from = l.Text[1:], l.from+1
		}
	}
	if !l.more() {
		return l
	}
	for n := 1; n < utf8.UTFMax && n <= len(l.Text); n++ {
		if tail := l.Text[len(l.Text)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				l.Text = l.Text[:len(l.Text)-n]
			}
			break
		}
	}
	return l
}

// request is which page to read: a position, in terms of the body.
type request struct {
	first, count int
	from         origin
}

// request asks for the screen, the one above it and the one below.
func (p *Pane) request(head int) request {
	return request{first: max(0, p.pos.top-head-p.h), count: 3 * p.h, from: p.pos.from}
}

// window is the page that was read last, with what was worked out for its lines.
type window struct {
	of *document
	request
	lines   []piece
	partial bool  // the length of the last line was not known yet
	err     error // the page ends where it does because reading failed
	cache   cache
}

// read reads a page. It does I/O.
func (r request) read(d *document) *window {
	w := &window{of: d, request: r}
	if d.body == nil || r.count <= 0 {
		return w
	}
	lines, err := d.body.Page(r.first, r.count, lineBytes)
	w.err = err
	w.lines = make([]piece, len(lines))
	for i, line := range lines {
		part := piece{Line: line, from: r.from.start(line.Number, line.Length)}
		if part.from > 0 {
			part.Text = nil
			if part.from < line.Length {
				if part.Text, err = d.body.ReadLine(line.Number, part.from, lineBytes); err != nil && w.err == nil {
					w.err = err
				}
			}
		}
		w.lines[i] = part.whole()
		w.partial = w.partial || line.Partial
	}
	return w
}

// ensure reads the page around the position if it is not there.
func (p *Pane) ensure() tea.Cmd {
	d := p.doc
	if d == nil || d.body == nil || p.h <= 0 {
		return nil
	}
	d.judge(p.store.Dialect())
	if p.covered(p.pos) {
		p.env.Jobs.Cancel(OwnerPage) // an older wish would only put another page in the place of this one
		return nil
	}
	r := p.request(d.headRows())
	return p.env.Jobs.Start(OwnerPage, ui.LabelOpen, func(context.Context, *ui.Progress) (any, error) {
		return r.read(d), nil
	})
}

// pageRead takes a page and finishes what waited for it.
func (p *Pane) pageRead(w *window) tea.Cmd {
	if w.of != p.doc {
		return nil
	}
	p.win = w
	if errors.Is(w.err, io.ErrUnexpectedEOF) {
		return p.retry() // the file was cut meanwhile
	}
	p.reveal()
	p.payBack()
	p.hitTarget()
	return p.ensure()
}

// covered reports whether the page that was read holds every row of the screen at pos.
func (p *Pane) covered(pos position) bool {
	d, w := p.doc, p.win
	if d == nil || d.body == nil {
		return true
	}
	if w == nil || w.of != d || w.count == 0 || w.from != pos.from {
		return false
	}
	if w.err != nil {
		return true // asking again would fail again
	}
	if w.partial && d.counted() {
		return false
	}
	from := max(0, pos.top-d.headRows())
	to := max(0, pos.top+p.h-d.headRows())
	if d.counted() {
		to = min(to, d.body.Facts().Lines)
	}
	if to <= from {
		return true
	}
	if from < w.first {
		return false
	}
	if to <= w.first+len(w.lines) {
		return true
	}
	// A short page that starts here is all that the file has for now.
	return len(w.lines) < w.count && d.body.Facts().Lines <= w.first+len(w.lines)
}

// known is the number of rows that are counted or on the page.
func (p *Pane) known() int {
	n := p.doc.lines()
	if p.win != nil && p.win.of == p.doc && !p.doc.counted() {
		n = max(n, p.doc.headRows()+p.win.first+len(p.win.lines))
	}
	return n
}

// rowText returns the text of any row, of the head or of the body, as far as it was read.
func (p *Pane) rowText(row int) ([]byte, bool) {
	if row < p.doc.headRows() {
		return []byte(p.doc.headRow(row)), true
	}
	line, ok := p.bodyLine(row)
	return line.Text, ok
}

// bodyLine returns the part of a row's body line that is on the page.
func (p *Pane) bodyLine(row int) (piece, bool) {
	i, ok := p.onPage(row)
	if !ok {
		return piece{}, false
	}
	return p.win.lines[i], true
}

// onPage returns the place of a row's line on the page.
func (p *Pane) onPage(row int) (int, bool) {
	if p.win == nil || p.win.of != p.doc || row < p.doc.headRows() {
		return 0, false
	}
	i := row - p.doc.headRows() - p.win.first
	return i, i >= 0 && i < len(p.win.lines)
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
func (p *Pane) wrapped(i, width int, o text.Options) []text.Row {
	c := p.measured(width, o)
	if c.wraps[i] == nil {
		c.wraps[i] = text.Wrap(nil, p.win.lines[i].Text, width, o)
	}
	return c.wraps[i]
}

// cells returns the width of the part of the line at place i of the page.
func (p *Pane) cells(i int) int {
	c := p.measured(p.contentWidth(), p.textOptions())
	if c.widths[i] == 0 {
		c.widths[i] = 1 + text.Column(p.win.lines[i].Text, len(p.win.lines[i].Text), c.options)
	}
	return c.widths[i] - 1
}

// measured is the cache, emptied when what was measured holds no longer.
func (p *Pane) measured(width int, o text.Options) *cache {
	c := &p.win.cache
	if c.wraps == nil || c.width != width || c.options != o {
		n := len(p.win.lines)
		c.wraps, c.widths, c.width, c.options = make([][]text.Row, n), make([]int, n), width, o
	}
	return c
}

// marks returns the matches of the search in the line at place i of the page.
func (p *Pane) marks(i int) [][2]int {
	q := p.search.query
	if q.empty() {
		return nil
	}
	c := &p.win.cache
	if c.marked == nil || c.query != q {
		c.marked, c.marks, c.query = make([]bool, len(p.win.lines)), make([][][2]int, len(p.win.lines)), q
	}
	if !c.marked[i] {
		c.marked[i] = true
		c.marks[i] = q.matches(p.doc, p.win.lines[i].Text)
	}
	return c.marks[i]
}
