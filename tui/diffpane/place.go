package diffpane

import (
	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// position is where the user is: rows count from the title, which is row 0.
type position struct {
	line int // row under the cursor
	top  int // first row on the screen
	sub  int // screen rows of top that are scrolled out, when lines wrap
}

// titleRows is the number of rows above the diff.
const titleRows = 1

// total is the number of rows with the title.
func (p *Pane) total() int {
	switch {
	case p.on != nil:
		return titleRows + p.on.Len()
	case p.result != nil:
		return titleRows + len(p.noteRows())
	default:
		return 0
	}
}

// heights gives the screen rows that rows first to first+count-1 take.
func (p *Pane) heights(first, count int) []int {
	count = max(0, min(count, p.total()-first))
	out := make([]int, count)
	for i := range out {
		out[i] = 1
	}
	if !p.wrap || p.on == nil {
		return out
	}
	skip := max(0, titleRows-first)
	for i, l := range p.on.lines(first+skip-titleRows, count-skip) {
		out[skip+i] = p.height(l)
	}
	return out
}

// reveal brings the cursor back into the text and onto the screen after a change of
// either, and leaves no room below the end that could show rows above.
func (p *Pane) reveal() {
	s := &p.pos
	s.line = max(0, min(s.line, p.total()-1))
	if s.line < s.top {
		s.top, s.sub = s.line, 0
	}
	if p.h <= 0 {
		return
	}
	if far := s.line - p.h + 1; far > s.top {
		s.top, s.sub = far, 0
	}
	heights := p.heights(s.top, s.line-s.top+1)
	if len(heights) == 0 {
		return
	}
	s.sub = min(s.sub, heights[0]-1)
	sum := -s.sub
	for _, h := range heights {
		sum += h
	}
	for k := 0; s.top < s.line && sum > p.h; k++ {
		sum -= heights[k] - s.sub
		s.top, s.sub = s.top+1, 0
	}
}

// screenY is the screen row where the cursor's row begins, negative above the screen, as
// the sheet has it.
func (p *Pane) screenY(on sheet) int {
	now := p.on
	p.on = on
	defer func() { p.on = now }()
	y := -p.pos.sub
	for _, h := range p.heights(p.pos.top, p.pos.line-p.pos.top) {
		y += h
	}
	return y
}

// raise scrolls so that the cursor's row begins on screen row y, where it can.
func (p *Pane) raise(y int) {
	p.pos.top, p.pos.sub = p.pos.line, 0
	p.shift(-max(0, min(y, p.h-1)))
}

// shift scrolls by screen rows without the cursor and tells how many it did.
func (p *Pane) shift(by int) int {
	s, done := &p.pos, 0
	for ; done > by; done-- {
		switch {
		case s.sub > 0:
			s.sub--
		case s.top > 0:
			s.top--
			s.sub = p.heights(s.top, 1)[0] - 1
		default:
			return done
		}
	}
	if by <= 0 {
		return done
	}
	heights := p.heights(s.top, p.h+by+1)
	left := -s.sub
	for _, h := range heights {
		left += h
	}
	for k := 0; done < by && left > p.h; done++ {
		left--
		if s.sub++; s.sub >= heights[k] {
			s.top, s.sub = s.top+1, 0
			k++
		}
	}
	return done
}

// rowAt gives the row on a screen row, and whether there is one.
func (p *Pane) rowAt(y int) (int, bool) {
	y += p.pos.sub
	for i, h := range p.heights(p.pos.top, p.h) {
		if y < h {
			return p.pos.top + i, y >= 0
		}
		y -= h
	}
	return 0, false
}

func (p *Pane) moveTo(line int) {
	if line <= p.pos.top {
		p.pos.sub = 0
	}
	p.pos.line = line
	p.reveal()
}

// down and up move by one row; a row that is higher than the screen is scrolled through first.
func (p *Pane) down() {
	if y := p.screenY(p.on); p.pos.line < p.total() && p.h > 0 && y+p.heights(p.pos.line, 1)[0] > p.h {
		p.shift(1)
		return
	}
	p.moveTo(p.pos.line + 1)
}

func (p *Pane) up() {
	if p.pos.line == p.pos.top && p.pos.sub > 0 {
		p.shift(-1)
		return
	}
	if p.pos.line == 0 {
		return
	}
	line := p.pos.line - 1
	p.moveTo(line)
	if h := p.heights(line, 1)[0]; line == p.pos.top && h > p.h {
		p.pos.sub = h - p.h
	}
}

// scroll moves the screen and the cursor with it; at the ends the cursor goes on alone.
func (p *Pane) scroll(by int) {
	if p.total() == 0 {
		return
	}
	y := max(0, min(p.screenY(p.on), p.h-1))
	done := p.shift(by)
	if line, ok := p.rowAt(y); ok {
		p.pos.line = line
	}
	p.pos.line += by - done
	p.reveal()
}

const textNoMoreHunks = "no further hunk in this direction"

func (p *Pane) hunk(forward bool) {
	if p.on == nil {
		return
	}
	at := p.on.PrevChange(p.pos.line - titleRows)
	if forward {
		at = p.on.NextChange(p.pos.line - titleRows)
	}
	if at < 0 {
		p.env.Emit(ui.Say{Text: textNoMoreHunks})
		return
	}
	p.moveTo(at + titleRows)
}

func (p *Pane) motion(id keymap.ID) bool {
	half, page := max(1, p.h/2), max(1, p.h-1)
	switch id {
	case keymap.Down:
		if p.total() > 0 {
			p.down()
		}
	case keymap.Up:
		p.up()
	case keymap.HalfDown:
		p.scroll(half)
	case keymap.HalfUp:
		p.scroll(-half)
	case keymap.PageDown:
		p.scroll(page)
	case keymap.PageUp:
		p.scroll(-page)
	case keymap.Top:
		p.moveTo(0)
	case keymap.Bottom:
		p.moveTo(p.total() - 1)
	case keymap.Left:
		p.col = max(0, p.col-sideways)
	case keymap.Right:
		p.right()
	case keymap.LineStart:
		p.col = 0
	case keymap.LineEnd:
		p.lineEnd()
	case keymap.Wrap:
		p.SetWrap(!p.wrap)
		p.env.Emit(ui.Say{Text: p.env.Keyed(ui.WrapText(p.wrap))})
	default:
		return false
	}
	return true
}

// sideways is how many cells one step left or right scrolls.
const sideways = 8

// right scrolls sideways as far as a line on the screen goes.
func (p *Pane) right() {
	if p.on == nil {
		return
	}
	if p.wrap {
		p.env.Emit(ui.Say{Text: ui.WrapText(true)})
		return
	}
	for _, l := range p.on.lines(max(0, p.pos.top-titleRows), p.h) {
		for side, row := range l.sides {
			// Only whether the line reaches that far is asked for: it may be very long.
			if text.ByteAt(row.Text, p.col+p.room(side), p.env.Text(0)) < len(row.Text) {
				p.col += sideways
				return
			}
		}
	}
}

// lineEnd scrolls sideways to the end of the line under the cursor, the longer one of two.
func (p *Pane) lineEnd() {
	l, ok := p.current()
	if !ok || l.whole() {
		return
	}
	if p.wrap {
		p.env.Emit(ui.Say{Text: ui.WrapText(true)})
		return
	}
	p.col = 0
	for side, row := range l.sides {
		over := text.Column(row.Text, len(row.Text), p.env.Text(0)) - p.room(side)
		p.col = max(p.col, (over+sideways-1)/sideways*sideways)
	}
}

// Click moves the cursor to a row of the screen; it reports whether the cursor was there.
func (p *Pane) Click(y int) bool {
	line, ok := p.rowAt(y)
	if y < 0 || y >= p.h || !ok {
		return false
	}
	again := line == p.pos.line
	p.pos.line = line
	p.reveal()
	return again
}

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) {
	return ui.Point{Y: max(0, min(p.screenY(p.on), p.h-1))}, p.result != nil
}
