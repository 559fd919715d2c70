package rendered

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/ui"
)

// Handle implements [ui.Pane].
func (p *Pane) Handle(id keymap.ID) (tea.Cmd, bool) {
	if p.doc == nil {
		return nil, false
	}
	switch id {
	case keymap.SearchNext:
		return p.next(false), true
	case keymap.SearchPrev:
		return p.next(true), true
	case keymap.OpenLink:
		return p.openLink(), true
	}
	return nil, p.move(id)
}

func (p *Pane) move(id keymap.ID) bool {
	half, page := max(1, p.h/2), max(1, p.h-1)
	by := map[keymap.ID]int{keymap.HalfDown: half, keymap.HalfUp: -half, keymap.PageDown: page, keymap.PageUp: -page}
	switch id {
	case keymap.Down, keymap.Up, keymap.Top, keymap.Bottom, keymap.HalfDown, keymap.HalfUp, keymap.PageDown, keymap.PageUp:
	case keymap.Left, keymap.Right:
		return true // rows are wrapped: there is nothing to the side
	default:
		return false
	}
	if p.doc.body == nil {
		return true
	}
	switch id {
	case keymap.Down:
		p.cursor, _ = p.below(p.cursor, 1)
	case keymap.Up:
		p.cursor, _ = p.above(p.cursor, 1)
	case keymap.Top:
		p.cursor = place{}
	case keymap.Bottom:
		p.cursor = p.last()
	default:
		p.scroll(by[id])
	}
	p.reveal()
	return true
}

// scroll moves screen and cursor together.
func (p *Pane) scroll(rows int) {
	if rows > 0 {
		p.top, _ = p.below(p.top, rows)
		p.cursor, _ = p.below(p.cursor, rows)
	} else {
		p.top, _ = p.above(p.top, -rows)
		p.cursor, _ = p.above(p.cursor, -rows)
	}
	p.fillScreen()
}

// reveal scrolls as little as needed to show the cursor, and centres it after a jump.
func (p *Pane) reveal() {
	if p.doc == nil || p.doc.body == nil || p.h <= 0 {
		return
	}
	if p.cursor.before(p.top) {
		if at, n := p.below(p.cursor, p.h); n == p.h && at.before(p.top) {
			p.top, _ = p.above(p.cursor, p.h/2)
		} else {
			p.top = p.cursor
		}
		p.fillScreen()
		return
	}
	if bottom, _ := p.below(p.top, p.h-1); bottom.before(p.cursor) {
		p.top, _ = p.above(p.cursor, p.h-1)
		if far, _ := p.below(bottom, p.h); far.before(p.cursor) {
			p.top, _ = p.above(p.cursor, p.h/2)
		}
	}
	p.fillScreen()
}

// fillScreen scrolls back when rows behind the end would show while there are rows above.
func (p *Pane) fillScreen() {
	if p.doc == nil || p.doc.body == nil || p.h <= 0 {
		return
	}
	if _, n := p.below(p.top, p.h-1); n < p.h-1 {
		p.top, _ = p.above(p.last(), p.h-1)
	}
}

// Click moves the cursor to a row of the screen; it reports whether the cursor was there.
func (p *Pane) Click(y int) bool {
	if p.doc == nil || p.doc.body == nil || y < 0 || y >= p.h {
		return false
	}
	at, n := p.below(p.top, y)
	if n < y {
		return false
	}
	again := at == p.cursor
	p.cursor = at
	return again
}

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) {
	if p.doc == nil || p.doc.body == nil {
		return ui.Point{}, false
	}
	for y, at := 0, p.top; y < p.h; y++ {
		if at == p.cursor {
			return ui.Point{Y: y}, true
		}
		next, n := p.below(at, 1)
		if n == 0 {
			break
		}
		at = next
	}
	return ui.Point{}, true
}
