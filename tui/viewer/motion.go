package viewer

import (
	"math"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/ui"
)

// Actions implements [ui.Pane].
func (p *Pane) Actions() *ui.Actions { return p.actions }

func (p *Pane) bindings() []ui.Action {
	actions := []ui.Action{
		{ID: keymap.Tail, Run: func() tea.Cmd {
			p.toggleTail()
			return p.ensure()
		}},
		{ID: keymap.SearchNext, Run: func() tea.Cmd { return p.next(false) }},
		{ID: keymap.SearchPrev, Run: func() tea.Cmd { return p.next(true) }},
	}
	for id, run := range map[keymap.ID]func(){
		keymap.Left:      func() { p.shift(-sideways) },
		keymap.Right:     func() { p.shift(sideways) },
		keymap.LineStart: p.lineStart,
		keymap.LineEnd:   p.lineEnd,
		keymap.Wrap:      p.toggleWrap,
	} {
		actions = append(actions, ui.Action{ID: id, Run: func() tea.Cmd {
			if p.doc == nil {
				return nil
			}
			run()
			return p.ensure()
		}})
	}
	return append(actions, ui.BindMotions(p.vertical)...)
}

func (p *Pane) vertical(id keymap.ID) tea.Cmd {
	if p.doc == nil {
		return nil
	}
	if id == keymap.Bottom {
		p.goTo(math.MaxInt)
		return p.ensure()
	}
	v := p.viewOf(p.pos)
	if rows, ok := v.Paging(id); ok {
		p.scrollBy(rows)
	} else {
		v.Motion(id)
		p.pos.line, p.pos.top, p.pos.sub = v.Cursor.Line, v.Top.Line, v.Top.Row
	}
	p.goal = nowhere // a user who moves no longer waits for the end
	return p.ensure()
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
