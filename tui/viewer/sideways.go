package viewer

import (
	"sort"

	"memcurator/render/text"
	"memcurator/tui/ui"
)

// sideways is how many cells one step left or right scrolls.
const sideways = 8

// aimKind says where on the screen a byte belongs.
type aimKind uint8

const (
	aimNone aimKind = iota
	aimSeen         // anywhere, with what is around it
	aimLeft         // at the left edge, but for some cells
	aimEnd          // the end of the line at the right edge
)

// aim is a byte of the cursor's line that has to come into sight. Where it is on the
// screen is known when the page with it is read.
type aim struct {
	kind   aimKind
	row    int
	offset int64 // from the start of the line
	length int   // bytes that should be in sight with it
	cells  int   // to the left of it, with aimLeft
}

// aimAt brings a byte of the cursor's line into sight, now or when its page is there.
func (p *Pane) aimAt(a aim) {
	a.row = p.pos.line
	p.aim = a
	p.pos.from = p.originFor(a)
	p.hitTarget()
}

// originFor chooses the part of the line that holds the byte; the one on the screen if it does.
func (p *Pane) originFor(a aim) origin {
	now := p.pos.from
	line := a.row - p.doc.headRows()
	if p.wrap && now.base > 0 && now.line != line {
		now = start.from
	}
	near := a.offset - now.base
	if a.kind != aimEnd && near >= 0 && near+int64(a.length) <= lineBytes-segment/2 {
		return now
	}
	base := a.offset / segment * segment
	if a.kind == aimEnd {
		base = lastBase(a.offset)
	} else if a.offset+int64(a.length) <= lineBytes {
		base = 0
	}
	return p.from(base, line)
}

// from is the origin for a body line.
func (p *Pane) from(base int64, line int) origin {
	if base <= 0 {
		return start.from
	}
	if !p.wrap {
		line = everyLine
	}
	return origin{base: base, line: line}
}

// hitTarget scrolls to the byte aimed at if its page is there.
func (p *Pane) hitTarget() {
	a := p.aim
	if a.kind == aimNone || p.doc == nil {
		return
	}
	if a.row != p.pos.line {
		p.aim = aim{}
		return
	}
	if !p.covered(p.pos) {
		return
	}
	p.aim = aim{}
	line, ok := p.bodyLine(a.row)
	if !ok {
		return
	}
	at := int(max(0, min(a.offset-line.from, int64(len(line.Text)))))
	if p.wrap {
		p.showSub(a, line, at)
		return
	}
	p.showColumn(a, line, at)
}

// showColumn scrolls a cut line sideways.
func (p *Pane) showColumn(a aim, line piece, at int) {
	o, width := p.textOptions(), p.contentWidth()
	col := text.Column(line.Text, at, o)
	switch a.kind {
	case aimLeft:
		p.pos.col = max(0, col-a.cells)
	case aimEnd:
		p.pos.col = max(0, text.Column(line.Text, len(line.Text), o)-width)
	default:
		end := text.Column(line.Text, min(len(line.Text), at+a.length), o)
		switch {
		case end <= width:
			p.pos.col = 0
		case col < p.pos.col || end > p.pos.col+width:
			p.pos.col = max(0, col-width/2)
		}
	}
}

// showSub scrolls a wrapped line up or down.
func (p *Pane) showSub(a aim, line piece, at int) {
	i, _ := p.onPage(a.row)
	parts := p.wrapBody(i)
	sub := sort.Search(len(parts), func(k int) bool { return parts[k].End > at })
	sub = min(sub, len(parts)-1)
	sub += p.notesAbove(line)
	height := p.height(a.row)
	if a.kind == aimEnd {
		sub = height - 1
	}
	if height <= p.h {
		p.reveal()
		return
	}
	if p.pos.top != a.row || sub < p.pos.sub || sub >= p.pos.sub+p.h {
		p.pos.top, p.pos.sub = a.row, max(0, min(sub-p.h/2, height-p.h))
	}
}

// shift scrolls sideways; at the end of a segment of a very long line the next one is read.
func (p *Pane) shift(by int) {
	line, ok := p.bodyLine(p.pos.line)
	if p.wrap {
		p.shiftPart(line, ok, by)
		return
	}
	col := p.pos.col + by
	if base := p.pos.from.base; col < 0 && base > 0 {
		p.pos.from = p.from(base-segment, everyLine)
		p.leftAt(base, -col)
		return
	}
	p.pos.col = max(0, col)
	if by < 0 || !ok {
		return
	}
	if line.more() {
		if at := text.ByteAt(line.Text, col, p.textOptions()); at >= segment {
			p.pos.from = p.from(line.from/segment*segment+segment, everyLine)
			p.leftAt(line.from+int64(at), 0)
			return
		}
	}
	p.pos.col = min(p.pos.col, max(0, p.widest()-p.contentWidth()))
}

// leftAt brings a byte to the left edge when the page that was chosen is there.
func (p *Pane) leftAt(offset int64, cells int) {
	p.aim = aim{kind: aimLeft, row: p.pos.line, offset: offset, cells: cells}
	p.hitTarget()
}

// shiftPart shows the part before or behind of a wrapped line that is too long for one.
func (p *Pane) shiftPart(line piece, ok bool, by int) {
	if !ok || line.Length <= lineBytes {
		p.env.Emit(ui.Say{Text: ui.WrapText(true)})
		return
	}
	var base int64
	if p.pos.from.line == line.Number {
		base = p.pos.from.base
	}
	if by > 0 {
		base = min(base+segment, lastBase(line.Length))
	} else {
		base = max(0, base-segment)
	}
	p.pos.from = p.from(base, line.Number)
	p.pos.top, p.pos.sub = p.pos.line, 0
}

// widest is the width of the widest line on the screen, in cells.
func (p *Pane) widest() int {
	widest := 0
	for row := p.pos.top; row < p.pos.top+p.h; row++ {
		if i, ok := p.onPage(row); ok {
			widest = max(widest, p.cells(i))
		} else if content, ok := p.rowText(row); ok {
			widest = max(widest, text.Column(content, len(content), p.env.Text(0))-p.startCol(p.doc.headRows()))
		}
	}
	return widest
}

func (p *Pane) lineStart() {
	p.pos.col, p.pos.from, p.aim = 0, start.from, aim{}
	if p.pos.line == p.pos.top {
		p.pos.sub = 0
	}
}

func (p *Pane) lineEnd() {
	if line, ok := p.bodyLine(p.pos.line); ok {
		p.aimAt(aim{kind: aimEnd, offset: line.Length})
		return
	}
	if content, ok := p.rowText(p.pos.line); ok && !p.wrap {
		p.pos.col = max(0, text.Column(content, len(content), p.env.Text(0))-p.rowWidth(p.pos.line))
	}
}

// leftEdge is the byte of the cursor's line at the left edge or, wrapped, at the top of the screen.
func (p *Pane) leftEdge() int64 {
	i, ok := p.onPage(p.pos.line)
	if !ok {
		return 0
	}
	line := p.win.lines[i]
	if !p.wrap {
		return line.from + int64(text.ByteAt(line.Text, p.pos.col, p.textOptions()))
	}
	parts := p.wrapBody(i)
	if p.pos.line != p.pos.top || p.pos.sub == 0 && line.from == 0 {
		return 0
	}
	return line.from + int64(parts[min(p.pos.sub, len(parts)-1)].Start)
}
