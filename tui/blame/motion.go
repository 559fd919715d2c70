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
	if p.view.Motion(id) {
		return nil, true
	}
	switch id {
	case keymap.SearchNext, keymap.SearchPrev:
		p.show(p.search.Next(p.env, id == keymap.SearchPrev, p.here(), p.on))
	case keymap.OpenChange:
		p.openRevision()
	case keymap.Wrap:
		p.wrap, p.col = !p.wrap, 0
		p.view.Reveal()
	case keymap.Left:
		p.col = max(0, p.col-sideways)
	case keymap.Right:
		p.col = min(p.col+sideways, p.farthest())
	case keymap.LineStart:
		p.col = 0
	case keymap.LineEnd:
		p.col = p.farthest()
	default:
		return nil, false
	}
	return nil, true
}

// openRevision asks for the revision of the line under the cursor.
func (p *Pane) openRevision() {
	if p.cursor() >= p.lines() {
		return
	}
	r, ok := p.doc.revs[p.doc.lines[p.cursor()].Rev]
	if !ok {
		p.env.Emit(ui.Say{Level: ui.Info, Text: "this line was there when the journal began"})
		return
	}
	p.env.Emit(OpenRevision{r})
}

// farthest is the first cell shown when the end of the cursor's line is on the screen.
func (p *Pane) farthest() int {
	if p.wrap || p.cursor() >= p.lines() {
		return 0
	}
	line := p.doc.text(p.cursor())
	return max(p.col, text.Column(line, len(line), p.env.Text(0))-p.textWidth())
}

// Click moves the cursor to a row of the screen; it reports whether the cursor was there.
func (p *Pane) Click(y int) bool {
	_, again := p.view.Click(y)
	return again
}

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) {
	return ui.Point{Y: p.view.CursorRow()}, p.cursor() < p.lines()
}
