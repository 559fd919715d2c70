package viewer

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/pane"
)

// sideways is how many cells one step left or right scrolls.
const sideways = 8

// Handle implements [pane.Pane].
func (p *Pane) Handle(id keymap.ID) (tea.Cmd, bool) {
	switch id {
	case keymap.SearchNext:
		return p.next(false), true
	case keymap.SearchPrev:
		return p.next(true), true
	}
	if p.doc == nil {
		return nil, false
	}
	if !p.vertical(id) && !p.horizontal(id) {
		return nil, false
	}
	return p.ensure(), true
}

func (p *Pane) vertical(id keymap.ID) bool {
	if id != keymap.Bottom {
		p.toEnd = false
	}
	switch id {
	case keymap.Down:
		p.step(1)
	case keymap.Up:
		p.step(-1)
	case keymap.HalfDown:
		p.scrollBy(max(1, p.h/2))
	case keymap.HalfUp:
		p.scrollBy(-max(1, p.h/2))
	case keymap.PageDown:
		p.scrollBy(max(1, p.h-1))
	case keymap.PageUp:
		p.scrollBy(-max(1, p.h-1))
	case keymap.Top:
		p.moveTo(0)
	case keymap.Bottom:
		p.bottom()
	default:
		return false
	}
	return true
}

// bottom goes to the last row, or waits for the count of lines to end.
func (p *Pane) bottom() {
	if p.doc.body != nil && !p.doc.body.Facts().Complete {
		p.toEnd = true
		return
	}
	p.moveTo(p.doc.lines() - 1)
}

// step moves the cursor by one row; inside a wrapped line that is higher than the
// screen it scrolls the line first.
func (p *Pane) step(by int) {
	if p.wrap && p.pos.line == p.pos.top {
		height := p.height(p.pos.line)
		if next := p.pos.sub + by; next >= 0 && next <= height-p.h {
			p.pos.sub = next
			return
		}
	}
	p.moveTo(p.pos.line + by)
}

// scrollBy moves screen and cursor together.
func (p *Pane) scrollBy(rows int) {
	p.pos.top = max(0, min(p.pos.top+rows, p.lastTop()))
	p.pos.sub = 0
	p.moveTo(p.pos.line + rows)
}

func (p *Pane) lastTop() int {
	if p.wrap {
		return max(0, p.doc.lines()-1)
	}
	return max(0, p.doc.lines()-p.h)
}

// moveTo puts the cursor on a row and brings it into sight.
func (p *Pane) moveTo(row int) {
	if p.doc == nil {
		return
	}
	last := p.doc.lines() - 1
	if p.doc.body != nil && !p.doc.body.Facts().Complete {
		last = max(last, p.doc.headRows()+p.win.first+len(p.win.lines)-1)
	}
	p.pos.line = max(0, min(row, last))
	p.reveal()
}

// reveal scrolls as little as needed to show the cursor's row, and centres it after a jump.
func (p *Pane) reveal() {
	if p.h <= 0 {
		return
	}
	if p.pos.line < p.pos.top-p.h || p.pos.line > p.pos.top+2*p.h {
		p.pos.top, p.pos.sub = max(0, p.pos.line-p.h/2), 0 // a jump: show what is around it
		if last := p.lastTop(); !p.wrap && p.pos.top > last {
			p.pos.top = last
		}
	}
	if p.pos.line < p.pos.top {
		p.pos.top, p.pos.sub = p.pos.line, 0
		return
	}
	if !p.wrap {
		p.pos.top = max(p.pos.top, p.pos.line-p.h+1)
		return
	}
	if p.pos.line-p.pos.top > p.h { // each row is at least one screen row high
		p.pos.top, p.pos.sub = p.pos.line-p.h, 0
	}
	room := p.h + p.pos.sub
	for at := p.pos.top; at <= p.pos.line; at++ {
		room -= p.height(at)
	}
	for room < 0 && p.pos.top < p.pos.line {
		room += p.height(p.pos.top) - p.pos.sub
		p.pos.top, p.pos.sub = p.pos.top+1, 0
	}
}

// height is how many screen rows a row takes; 1 where the page is not read yet.
func (p *Pane) height(row int) int {
	if !p.wrap {
		return 1
	}
	content, ok := p.rowText(row)
	if !ok {
		return 1
	}
	line, _ := p.bodyLine(row)
	return len(p.wrapRow(row, content)) + cutRows(line)
}

func (p *Pane) horizontal(id keymap.ID) bool {
	switch id {
	case keymap.Left:
		p.shift(-sideways)
	case keymap.Right:
		p.shift(sideways)
	case keymap.LineStart:
		p.pos.col, p.pos.base = 0, 0
	case keymap.LineEnd:
		p.lineEnd()
	case keymap.Wrap:
		p.wrap = !p.wrap
		p.pos.col, p.pos.base, p.pos.sub = 0, 0, 0
		p.reveal()
		p.env.Emit(pane.Say{Text: pane.WrapText(p.wrap)})
	default:
		return false
	}
	return true
}

// shift scrolls sideways; at the end of a segment of a very long line the next one is read.
func (p *Pane) shift(by int) {
	if p.wrap {
		p.env.Emit(pane.Say{Text: pane.WrapText(true)})
		return
	}
	col := p.pos.col + by
	if col < 0 && p.pos.base > 0 {
		p.pos.base -= segment
		p.pos.col = max(0, segment-p.contentWidth())
		return
	}
	line, ok := p.bodyLine(p.pos.line)
	if ok && by > 0 && line.Length > p.pos.base+lineBytes && col > segment {
		p.pos.base += segment
		p.pos.col = 0
		return
	}
	p.pos.col = max(0, col)
	if by > 0 {
		p.pos.col = min(p.pos.col, max(0, p.widest()-p.contentWidth()+1))
	}
}

// widest is the width of the widest line on the screen, in cells.
func (p *Pane) widest() int {
	widest := 0
	for row := p.pos.top; row < p.pos.top+p.h; row++ {
		if line, ok := p.bodyLine(row); ok {
			widest = max(widest, text.Column(line.Text, len(line.Text), p.textOptions()))
		}
	}
	return widest
}

func (p *Pane) lineEnd() {
	line, ok := p.bodyLine(p.pos.line)
	if !ok || p.wrap {
		return
	}
	if line.Length > lineBytes {
		// The last segments of the line; a cell is at least one byte, so this reaches the end.
		p.pos.base = max(0, (line.Length-1)/segment-1) * segment
		p.pos.col = max(0, int(line.Length-p.pos.base)-p.contentWidth()+1)
		return
	}
	p.pos.col = max(0, text.Column(line.Text, len(line.Text), p.textOptions())-p.contentWidth()+1)
}
