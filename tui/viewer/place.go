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

// viewOf is the view of the rows at a position.
func (p *Pane) viewOf(pos position) ui.TextView {
	return ui.TextView{
		Count: p.known, Height: p.height, Centre: true, H: p.h,
		Cursor: ui.Place{Line: pos.line}, Top: ui.Place{Line: pos.top, Row: pos.sub},
	}
}

// inView moves cursor and screen by rows.
func (p *Pane) inView(move func(v *ui.TextView)) {
	v := p.viewOf(p.pos)
	move(&v)
	p.pos.line, p.pos.top, p.pos.sub = v.Cursor.Line, v.Top.Line, v.Top.Row
}

// moveTo puts the cursor on a row and brings it into sight.
func (p *Pane) moveTo(row int) {
	if p.doc != nil {
		p.inView(func(v *ui.TextView) { v.MoveTo(row) })
	}
}

// reveal brings the cursor into sight.
func (p *Pane) reveal() {
	if p.doc != nil {
		p.inView((*ui.TextView).Reveal)
	}
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

// scrollBy moves screen and cursor together, by screen rows. Where the heights of rows
// are not known yet it waits for the page, so that nothing is passed over unseen.
func (p *Pane) scrollBy(rows int) {
	if p.wrap && !p.covered(p.pos) {
		p.owed += rows
		return
	}
	p.inView(func(v *ui.TextView) { v.Scroll(rows) })
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
	v := p.viewOf(p.onScreen())
	return ui.Point{Y: v.CursorRow()}, true
}

// onScreen is the position to draw: the one before as long as the page is not there.
func (p *Pane) onScreen() position {
	if p.covered(p.pos) {
		p.shown = p.pos
	}
	return p.shown
}
