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
	aimLeft         // at the left edge, except for some cells
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
func (vp *viewport) aimAt(a aim) {
	a.row = vp.pos.line
	vp.aim = a
	vp.pos.from = vp.originFor(a)
	vp.hitTarget()
}

// originFor chooses the part of the line that holds the byte; the one on the screen if it does.
func (vp *viewport) originFor(a aim) origin {
	now := vp.pos.from
	line := a.row - vp.layout.doc.headRows()
	if vp.layout.wrap && now.base > 0 && now.line != line {
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
	return vp.from(base, line)
}

// from is the origin for a body line.
func (vp *viewport) from(base int64, line int) origin {
	if base <= 0 {
		return start.from
	}
	if !vp.layout.wrap {
		line = everyLine
	}
	return origin{base: base, line: line}
}

// hitTarget scrolls to the byte aimed at if its page is there.
func (vp *viewport) hitTarget() {
	a := vp.aim
	if a.kind == aimNone || vp.layout.doc == nil {
		return
	}
	if a.row != vp.pos.line {
		vp.aim = aim{}
		return
	}
	if !vp.covered(vp.pos) {
		return
	}
	vp.aim = aim{}
	line, ok := vp.layout.bodyLine(a.row)
	if !ok {
		return
	}
	at := int(max(0, min(a.offset-line.from, int64(len(line.Text)))))
	if vp.layout.wrap {
		vp.showSub(a, line, at)
		return
	}
	vp.showColumn(a, line, at)
}

// showColumn scrolls a cut line sideways.
func (vp *viewport) showColumn(a aim, line piece, at int) {
	o, width := vp.layout.textOptions(), vp.layout.contentWidth()
	col := text.Column(line.Text, at, o)
	switch a.kind {
	case aimLeft:
		vp.pos.col = max(0, col-a.cells)
	case aimEnd:
		vp.pos.col = max(0, text.Column(line.Text, len(line.Text), o)-width)
	default:
		end := text.Column(line.Text, min(len(line.Text), at+a.length), o)
		switch {
		case end <= width:
			vp.pos.col = 0
		case col < vp.pos.col || end > vp.pos.col+width:
			vp.pos.col = max(0, col-width/2)
		}
	}
}

// showSub scrolls a wrapped line up or down.
func (vp *viewport) showSub(a aim, line piece, at int) {
	i, _ := vp.layout.onPage(a.row)
	parts := vp.layout.wrapBody(i)
	sub := sort.Search(len(parts), func(k int) bool { return parts[k].End > at })
	sub = min(sub, len(parts)-1)
	sub += vp.layout.notesAbove(line)
	height := vp.layout.height(a.row)
	if a.kind == aimEnd {
		sub = height - 1
	}
	if height <= vp.layout.h {
		vp.reveal()
		return
	}
	if vp.pos.top != a.row || sub < vp.pos.sub || sub >= vp.pos.sub+vp.layout.h {
		vp.pos.top, vp.pos.sub = a.row, max(0, min(sub-vp.layout.h/2, height-vp.layout.h))
	}
}

// shift scrolls sideways; at the end of a segment of a very long line the next one is read.
func (vp *viewport) shift(by int) {
	line, ok := vp.layout.bodyLine(vp.pos.line)
	if vp.layout.wrap {
		vp.shiftPart(line, ok, by)
		return
	}
	col := vp.pos.col + by
	if base := vp.pos.from.base; col < 0 && base > 0 {
		vp.pos.from = vp.from(base-segment, everyLine)
		vp.leftAt(base, -col)
		return
	}
	vp.pos.col = max(0, col)
	if by < 0 || !ok {
		return
	}
	if line.more() {
		if at := text.ByteAt(line.Text, col, vp.layout.textOptions()); at >= segment {
			vp.pos.from = vp.from(line.from/segment*segment+segment, everyLine)
			vp.leftAt(line.from+int64(at), 0)
			return
		}
	}
	vp.pos.col = min(vp.pos.col, max(0, vp.widest()-vp.layout.contentWidth()))
}

// leftAt brings a byte to the left edge when the page that was chosen is there.
func (vp *viewport) leftAt(offset int64, cells int) {
	vp.aim = aim{kind: aimLeft, row: vp.pos.line, offset: offset, cells: cells}
	vp.hitTarget()
}

// shiftPart shows the part before or behind of a wrapped line that is too long for one.
func (vp *viewport) shiftPart(line piece, ok bool, by int) {
	if !ok || line.Length <= lineBytes {
		vp.env.Emit(ui.Say{Text: ui.WrapText(true)})
		return
	}
	var base int64
	if vp.pos.from.line == line.Number {
		base = vp.pos.from.base
	}
	if by > 0 {
		base = min(base+segment, lastBase(line.Length))
	} else {
		base = max(0, base-segment)
	}
	vp.pos.from = vp.from(base, line.Number)
	vp.pos.top, vp.pos.sub = vp.pos.line, 0
}

// widest is the width of the widest line on the screen, in cells.
func (vp *viewport) widest() int {
	widest := 0
	for row := vp.pos.top; row < vp.pos.top+vp.layout.h; row++ {
		if i, ok := vp.layout.onPage(row); ok {
			widest = max(widest, vp.layout.cells(i))
		} else if content, ok := vp.layout.rowText(row); ok {
			widest = max(widest, text.Column(content, len(content), vp.env.Text(0))-vp.layout.startCol(vp.layout.doc.headRows()))
		}
	}
	return widest
}

func (vp *viewport) lineStart() {
	vp.pos.col, vp.pos.from, vp.aim = 0, start.from, aim{}
	if vp.pos.line == vp.pos.top {
		vp.pos.sub = 0
	}
}

func (vp *viewport) lineEnd() {
	if line, ok := vp.layout.bodyLine(vp.pos.line); ok {
		vp.aimAt(aim{kind: aimEnd, offset: line.Length})
		return
	}
	if content, ok := vp.layout.rowText(vp.pos.line); ok && !vp.layout.wrap {
		vp.pos.col = max(0, text.Column(content, len(content), vp.env.Text(0))-vp.layout.rowWidth(vp.pos.line))
	}
}

// leftEdge is the byte of the cursor's line at the left edge or, wrapped, at the top of the screen.
func (vp *viewport) leftEdge() int64 {
	i, ok := vp.layout.onPage(vp.pos.line)
	if !ok {
		return 0
	}
	line := vp.layout.win.lines[i]
	if !vp.layout.wrap {
		return line.from + int64(text.ByteAt(line.Text, vp.pos.col, vp.layout.textOptions()))
	}
	parts := vp.layout.wrapBody(i)
	if vp.pos.line != vp.pos.top || vp.pos.sub == 0 && line.from == 0 {
		return 0
	}
	return line.from + int64(parts[min(vp.pos.sub, len(parts)-1)].Start)
}
