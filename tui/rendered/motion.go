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
	case keymap.SearchNext, keymap.SearchPrev:
		p.show(p.search.Next(p.env, id == keymap.SearchPrev, p.here(), p.on))
		return nil, true
	case keymap.OpenLink:
		return p.openLink(), true
	case keymap.Left, keymap.Right:
		return nil, true // rows are wrapped: there is nothing to the side
	}
	return nil, p.view.Motion(id)
}

// Click moves the cursor to a row of the screen; it reports whether the cursor was there.
func (p *Pane) Click(y int) bool {
	_, again := p.view.Click(y)
	return again
}

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) {
	return ui.Point{Y: p.view.CursorRow()}, p.blocks() > 0
}
