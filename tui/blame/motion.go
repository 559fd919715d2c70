package blame

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// sideways is how many cells left and right scroll cut lines.
const sideways = 8

// Handle implements [ui.Pane].
func (p *Pane) Handle(id keymap.ID) (tea.Cmd, bool) {
	switch id {
	case keymap.SearchNext:
		return p.next(false), true
	case keymap.SearchPrev:
		return p.next(true), true
	case keymap.OpenChange:
		p.openRevision()
	case keymap.Wrap:
		p.wrap, p.col = !p.wrap, 0
		p.reveal()
	default:
		return nil, p.move(id)
	}
	return nil, true
}

// openRevision asks for the revision of the line under the cursor.
func (p *Pane) openRevision() {
	if p.cursor >= p.lines() {
		return
	}
	r, ok := p.doc.revs[p.doc.lines[p.cursor].Rev]
	if !ok {
		p.env.Emit(ui.Say{Level: ui.Info, Text: "this line was there when the journal began"})
		return
	}
	p.env.Emit(OpenRevision{r})
}

func (p *Pane) move(id keymap.ID) bool {
	half, page := max(1, p.h/2), max(1, p.h-1)
	switch id {
	case keymap.Down:
		p.moveTo(p.cursor + 1)
	case keymap.Up:
		p.moveTo(p.cursor - 1)
	case keymap.Top:
		p.moveTo(0)
	case keymap.Bottom:
		p.moveTo(p.lines() - 1)
	case keymap.HalfDown:
		p.scroll(half)
	case keymap.HalfUp:
		p.scroll(-half)
	case keymap.PageDown:
		p.scroll(page)
	case keymap.PageUp:
		p.scroll(-page)
	case keymap.Left:
		p.col = max(0, p.col-sideways)
	case keymap.Right:
		p.col = min(p.col+sideways, p.farthest())
	case keymap.LineStart:
		p.col = 0
	case keymap.LineEnd:
		p.col = p.farthest()
	default:
		return false
	}
	return true
}

// farthest is the first cell shown when the end of the cursor's line is on the screen.
func (p *Pane) farthest() int {
	if p.wrap || p.cursor >= p.lines() {
		return 0
	}
	line := p.doc.text(p.cursor)
	return max(p.col, text.Column(line, len(line), p.env.Text(0))-p.textWidth())
}

// scroll moves screen and cursor together.
func (p *Pane) scroll(by int) {
	p.top += by
	p.moveTo(p.cursor + by)
}

// moveTo puts the cursor on a line, or the nearest there is.
func (p *Pane) moveTo(line int) {
	p.cursor = max(0, min(line, p.lines()-1))
	p.reveal()
}

// reveal scrolls as little as needed to show the cursor and no rows behind the end.
func (p *Pane) reveal() {
	if p.h <= 0 || p.lines() == 0 {
		return
	}
	p.top = max(0, min(p.top, p.cursor, p.lines()-1))
	rows, top := 0, p.cursor
	for top >= p.top {
		if rows += p.height(top); rows > p.h {
			break
		}
		top--
	}
	p.top = max(p.top, min(p.cursor, top+1))
	for rows = 0; p.top > 0; p.top-- {
		for i := p.top; i < p.lines() && rows < p.h; i++ {
			rows += p.height(i)
		}
		if rows+p.height(p.top-1) > p.h {
			return
		}
		rows = 0
	}
}

// Click moves the cursor to a row of the screen; it reports whether the cursor was there.
func (p *Pane) Click(y int) (again bool) {
	for i := p.top; i < p.lines() && y >= 0; i++ {
		if y -= p.height(i); y < 0 {
			again = i == p.cursor
			p.cursor = i
		}
	}
	return again
}

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) {
	y := 0
	for i := p.top; i < p.cursor; i++ {
		y += p.height(i)
	}
	return ui.Point{Y: min(y, max(0, p.h-1))}, p.cursor < p.lines()
}
