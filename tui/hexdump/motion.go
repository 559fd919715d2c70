package hexdump

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/ui"
)

// Handle implements [ui.Pane].
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
	n := int64(p.perRow())
	half, whole := max(1, int64(p.h/2)), max(1, int64(p.h-1))
	switch id {
	case keymap.Down:
		p.moveTo(p.cursor + n)
	case keymap.Up:
		p.moveTo(p.cursor - n)
	case keymap.Left:
		p.moveTo(p.cursor - 1)
	case keymap.Right:
		p.moveTo(p.cursor + 1)
	case keymap.Top:
		p.moveTo(0)
	case keymap.Bottom:
		p.moveTo(p.doc.size - 1)
	case keymap.HalfDown:
		p.scroll(half)
	case keymap.HalfUp:
		p.scroll(-half)
	case keymap.PageDown:
		p.scroll(whole)
	case keymap.PageUp:
		p.scroll(-whole)
	default:
		return nil, false
	}
	return p.ensure(), true
}

// GoTo puts the cursor on a byte of the file, as soon as it is open.
func (p *Pane) GoTo(offset int64) tea.Cmd {
	if p.doc == nil || p.doc.path != p.opening.Target || p.opening.Busy() {
		p.want = &offset
		return nil
	}
	p.moveTo(offset)
	return p.ensure()
}

// moveTo puts the cursor on a byte and brings it into sight; after a jump into the middle.
func (p *Pane) moveTo(at int64) {
	n, h := int64(p.perRow()), int64(max(1, p.h))
	if at < 0 && at > -n && p.cursor >= n {
		at = 0
	}
	if last := p.doc.size - 1; at > last && at-n <= last && p.cursor/n == last/n {
		at = p.cursor // there is no row below
	}
	p.cursor = max(0, min(at, p.doc.size-1))
	row, top := p.cursor/n, p.top/n
	switch {
	case row < top-h || row >= top+2*h:
		top = row - h/2
	case row < top:
		top = row
	case row >= top+h:
		top = row - h + 1
	}
	p.setTop(top)
}

// setTop shows a row first, as far as there are rows to fill the screen.
func (p *Pane) setTop(row int64) {
	n := int64(p.perRow())
	rows := (p.doc.size + n - 1) / n
	p.top = max(0, min(row, rows-int64(max(1, p.h)))) * n
}

// scroll moves screen and cursor together, by rows.
func (p *Pane) scroll(rows int64) {
	n := int64(p.perRow())
	p.setTop(p.top/n + rows)
	at := p.cursor + rows*n
	if at < 0 {
		at = p.cursor % n
	}
	p.moveTo(min(at, max(0, p.doc.size-1)))
}

// Click moves the cursor to a row of the screen; it reports whether the cursor was there.
func (p *Pane) Click(y int) bool {
	n := int64(p.perRow())
	if p.doc == nil || p.doc.size == 0 || y < 0 || y >= p.h || p.top+int64(y)*n >= p.doc.size {
		return false
	}
	row := p.top/n + int64(y)
	again := row == p.cursor/n
	if !again {
		p.cursor = row * n
	}
	return again
}

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) {
	if p.doc == nil || p.doc.size == 0 {
		return ui.Point{}, false
	}
	n := int64(p.perRow())
	y := int(min(max(0, (p.cursor-p.top)/n), int64(max(0, p.h-1))))
	return ui.Point{X: min(p.byteColumn(int(p.cursor%n)), max(0, p.w-1)), Y: y}, true
}
