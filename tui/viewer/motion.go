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
			p.tail.toggle()
			return p.view.ensure()
		}},
		{ID: keymap.SearchNext, Run: func() tea.Cmd { return p.Finder.next(false) }},
		{ID: keymap.SearchPrev, Run: func() tea.Cmd { return p.Finder.next(true) }},
	}
	for id, run := range map[keymap.ID]func(){
		keymap.Left:      func() { p.view.shift(-sideways) },
		keymap.Right:     func() { p.view.shift(sideways) },
		keymap.LineStart: p.view.lineStart,
		keymap.LineEnd:   p.view.lineEnd,
		keymap.Wrap:      p.toggleWrap,
	} {
		actions = append(actions, ui.Action{ID: id, Run: func() tea.Cmd {
			if p.layout.doc == nil {
				return nil
			}
			run()
			return p.view.ensure()
		}})
	}
	return append(actions, ui.BindMotions(p.vertical)...)
}

func (p *Pane) vertical(id keymap.ID) tea.Cmd {
	if p.layout.doc == nil {
		return nil
	}
	if id == keymap.Bottom {
		p.view.goTo(math.MaxInt)
		return p.view.ensure()
	}
	v := p.view.viewOf(p.view.pos)
	if rows, ok := v.Paging(id); ok {
		p.view.scrollBy(rows)
	} else {
		v.Motion(id)
		p.view.pos.line, p.view.pos.top, p.view.pos.sub = v.Cursor.Line, v.Top.Line, v.Top.Row
	}
	p.view.goal = nowhere // a user who moves no longer waits for the end
	return p.view.ensure()
}

func (p *Pane) toggleWrap() {
	p.SetWrap(!p.layout.wrap)
	p.env.Emit(ui.Say{Text: p.env.Keyed(ui.WrapText(p.layout.wrap))})
}

// SetWrap wraps long lines or cuts them; it keeps what is at the left edge of the cursor's line in sight.
func (p *Pane) SetWrap(on bool) {
	if p.layout.wrap == on {
		return
	}
	at := p.view.leftEdge()
	p.layout.wrap = on
	p.view.pos.col, p.view.pos.sub, p.view.pos.from = 0, 0, start.from
	p.view.reveal()
	if at > 0 {
		p.view.aimAt(aim{kind: aimLeft, offset: at})
	}
}

// Click moves the cursor to the row at a screen row; it reports whether the cursor was there.
func (p *Pane) Click(y int) bool {
	if p.layout.doc == nil || y < 0 || y >= p.layout.h || !p.view.covered(p.view.pos) {
		return false
	}
	v := p.view.viewOf(p.view.pos)
	hit, again := v.Click(y)
	if !hit {
		v.MoveTo(p.layout.known() - 1)
	}
	p.view.goal, p.tail.on = nowhere, p.tail.on && v.Cursor.Line == p.layout.known()-1
	p.view.pos.line = v.Cursor.Line
	return again
}
