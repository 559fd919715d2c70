package viewer

import "memcurator/tui/ui"

// height is how many screen rows a row takes; 1 where the page is not read yet.
func (p *Pane) height(row int) int {
	if !p.wrap {
		return 1
	}
	if row < p.doc.headRows() {
		return len(p.wrapHead(row))
	}
	i, ok := p.onPage(row)
	if !ok {
		return 1
	}
	n := len(p.wrapBody(i))
	line := p.win.lines[i]
	n += p.notesAbove(line)
	if line.more() {
		n++ // and one below it
	}
	return n
}

// below returns the place n screen rows below a screen row, at most the last one.
func (p *Pane) below(row, sub, n int) (int, int) {
	for last := p.known() - 1; ; row++ {
		height := p.height(row)
		if sub+n < height {
			return row, sub + n
		}
		if row >= last {
			return row, height - 1
		}
		n -= height - sub
		sub = 0
	}
}

// above returns the place n screen rows above a screen row, at least the first one.
func (p *Pane) above(row, sub, n int) (int, int) {
	for n > sub && row > 0 {
		n -= sub
		row--
		sub = p.height(row)
	}
	return row, max(0, sub-n)
}

// between is how many screen rows lie between the top of the screen at pos and the
// start of a row, at most limit.
func (p *Pane) between(pos position, row, limit int) int {
	n := -pos.sub
	for at := pos.top; at < row && n < limit; at++ {
		n += p.height(at)
	}
	return min(n, limit)
}

// moveTo puts the cursor on a row and brings it into sight.
func (p *Pane) moveTo(row int) {
	if p.doc == nil {
		return
	}
	p.pos.line = max(0, min(row, p.known()-1))
	p.reveal()
}

// goTo is moveTo for a row that may not be counted yet: it waits.
func (p *Pane) goTo(row int) {
	p.goal = nowhere
	if row >= p.known() && !p.doc.counted() {
		p.goal = row
		return
	}
	p.moveTo(row)
}

// reveal scrolls as little as needed to show the cursor's row, and centres it after a jump.
func (p *Pane) reveal() {
	if p.h <= 0 || p.doc == nil {
		return
	}
	at := &p.pos
	if at.line < at.top-p.h || at.line > at.top+2*p.h {
		at.top, at.sub = max(0, at.line-p.h/2), 0
	}
	tall := p.height(at.line)
	at.sub = min(at.sub, p.height(at.top)-1)
	switch {
	case at.line < at.top, at.line == at.top && tall <= p.h:
		at.top, at.sub = at.line, 0
	case at.line > at.top:
		fits := min(tall, p.h) // of a row higher than the screen the start is shown
		if p.between(*at, at.line, p.h+1)+fits > p.h {
			at.top, at.sub = p.above(at.line, fits, p.h)
		}
	}
	p.fillScreen()
}

// fillScreen scrolls back when rows behind the end would show while there are rows above.
func (p *Pane) fillScreen() {
	top, sub := p.above(p.known(), 0, p.h)
	if p.pos.top > top || p.pos.top == top && p.pos.sub > sub {
		p.pos.top, p.pos.sub = top, sub
	}
}

// step moves the cursor by one row; a row that is higher than the screen is scrolled first.
func (p *Pane) step(by int) {
	at := &p.pos
	if at.line == at.top && (by < 0 && at.sub > 0 || by > 0 && at.sub+p.h < p.height(at.line)) {
		at.sub += by
		return
	}
	old := at.top
	p.moveTo(at.line + by)
	if hidden := p.height(at.line) - p.h; at.line < old && hidden > 0 {
		at.sub = hidden // coming from below its end is met first
	}
}

// scrollBy moves screen and cursor together, by screen rows. Where the heights of rows
// are not known yet it waits for the page, so that nothing is passed over unseen.
func (p *Pane) scrollBy(rows int) {
	if p.wrap && !p.covered(p.pos) {
		p.owed += rows
		return
	}
	at := &p.pos
	old := *at
	y := p.between(old, at.line, p.h)
	if rows > 0 {
		at.top, at.sub = p.below(at.top, at.sub, rows)
	} else {
		at.top, at.sub = p.above(at.top, at.sub, -rows)
	}
	p.fillScreen()
	if at.top == old.top && at.sub == old.sub {
		p.moveTo(at.line + rows)
		return
	}
	at.line = p.wholeRow(max(0, y))
}

// wholeRow returns the row at a screen row, or the nearest one above or below it that
// is wholly on the screen, if there is one.
func (p *Pane) wholeRow(y int) int {
	row, sub := p.below(p.pos.top, p.pos.sub, y)
	if row == p.pos.top {
		if p.pos.sub > 0 && p.height(row)-p.pos.sub < p.h && row+1 < p.known() {
			row++
		}
		return row
	}
	if y-sub+p.height(row) > p.h && (row-1 > p.pos.top || p.pos.sub == 0) {
		row--
	}
	return row
}

// payBack scrolls what had to wait for a page.
func (p *Pane) payBack() {
	for p.owed != 0 && p.covered(p.pos) {
		part := max(-p.h, min(p.owed, p.h))
		p.owed -= part
		if part == 0 {
			p.owed = 0
			return
		}
		p.scrollBy(part)
	}
}

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) {
	if p.doc == nil {
		return ui.Point{}, false
	}
	pos := p.onScreen()
	y := 0
	if pos.line >= pos.top {
		y = p.between(pos, pos.line, p.h-1)
	}
	return ui.Point{X: 0, Y: max(0, y)}, true
}

// onScreen is the position to draw: the one before as long as the page is not there.
func (p *Pane) onScreen() position {
	if p.covered(p.pos) {
		p.shown = p.pos
	}
	return p.shown
}
