package viewer

import (
	"math"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/ui"
)

// Handle implements [ui.Pane].
func (p *Pane) Handle(id keymap.ID) (tea.Cmd, bool) {
	p.endTail(id)
	switch id {
	case keymap.Tail:
		p.toggleTail()
		return p.ensure(), true
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
	if id == keymap.Bottom {
		p.goTo(math.MaxInt)
		return true
	}
	v := p.viewOf(p.pos)
	if rows, ok := v.Paging(id); ok {
		p.scrollBy(rows)
	} else if v.Motion(id) {
		p.pos.line, p.pos.top, p.pos.sub = v.Cursor.Line, v.Top.Line, v.Top.Row
	} else {
		return false
	}
	p.goal = nowhere // who moves does not wait for the end any more
	return true
}

func (p *Pane) horizontal(id keymap.ID) bool {
	switch id {
	case keymap.Left:
		p.shift(-sideways)
	case keymap.Right:
		p.shift(sideways)
	case keymap.LineStart:
		p.lineStart()
	case keymap.LineEnd:
		p.lineEnd()
	case keymap.Wrap:
		p.toggleWrap()
	default:
		return false
	}
	return true
}

func (p *Pane) toggleWrap() {
	p.SetWrap(!p.wrap)
	p.env.Emit(ui.Say{Text: p.env.Keyed(ui.WrapText(p.wrap))})
}

// SetWrap wraps long lines or cuts them; it keeps what is at the left edge of the cursor's line in sight.
func (p *Pane) SetWrap(on bool) {
	if p.wrap == on {
		return
	}
	at := p.leftEdge()
	p.wrap = on
	p.pos.col, p.pos.sub, p.pos.from = 0, 0, start.from
	p.reveal()
	if at > 0 {
		p.aimAt(aim{kind: aimLeft, offset: at})
	}
}

// Click moves the cursor to the row at a screen row; it reports whether the cursor was there.
func (p *Pane) Click(y int) bool {
	if p.doc == nil || y < 0 || y >= p.h || !p.covered(p.pos) {
		return false
	}
	v := p.viewOf(p.pos)
	hit, again := v.Click(y)
	if !hit {
		v.MoveTo(p.known() - 1)
	}
	p.goal, p.tail = nowhere, p.tail && v.Cursor.Line == p.known()-1
	p.pos.line = v.Cursor.Line
	return again
}
