package rendered

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/ui"
)

// Actions implements [ui.Pane].
func (p *Pane) Actions() *ui.Actions { return p.actions }

func (p *Pane) bindings() []ui.Action {
	return append(ui.BindMotions(func(id keymap.ID) tea.Cmd {
		if p.doc != nil {
			p.view.Motion(id)
		}
		return nil
	}),
		ui.Action{ID: keymap.SearchNext, Run: ui.Do(func() { p.next(false) })},
		ui.Action{ID: keymap.SearchPrev, Run: ui.Do(func() { p.next(true) })},
		ui.Action{ID: keymap.OpenLink, Run: p.openLink},
		// Rows are wrapped: nothing is to the side.
		ui.Action{ID: keymap.Left, Run: ui.Nothing},
		ui.Action{ID: keymap.Right, Run: ui.Nothing},
	)
}

func (p *Pane) next(back bool) {
	if p.doc != nil {
		p.show(p.search.Next(p.env, back, p.here(), p.on))
	}
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
