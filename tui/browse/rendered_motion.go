package browse

import (
	"memcurator/keymap"
	"memcurator/tui/ui"
)

// Actions implements [ui.Pane].
func (p *RenderedPane) Actions() *ui.Actions { return p.actions }

func (p *RenderedPane) bindings() []ui.Action {
	return append(append(p.view.Bindings(), p.search.Bindings()...),
		ui.Action{ID: keymap.OpenLink, Run: p.openLink},
	)
}

// Click moves the cursor to a row of the screen; it reports whether the cursor was there.
func (p *RenderedPane) Click(y int) bool {
	_, again := p.view.Click(y)
	return again
}

// Cursor implements [ui.Pane].
func (p *RenderedPane) Cursor() (ui.Point, bool) {
	return ui.Point{Y: p.view.CursorRow()}, p.blocks() > 0
}
