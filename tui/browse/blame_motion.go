package browse

import (
	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// sideways is how many cells left and right scroll cut lines.
const sideways = 8

// Actions implements [ui.Pane].
func (p *BlamePane) Actions() *ui.Actions { return p.actions }

func (p *BlamePane) bindings() []ui.Action {
	return append(append(p.view.Bindings(), p.search.Bindings()...),
		ui.On(keymap.Open, p.openRevision),
		ui.On(keymap.Wrap, func() {
			p.wrap, p.col = !p.wrap, 0
			p.view.Reveal()
		}),
		ui.On(keymap.Left, func() { p.col = max(0, p.col-sideways) }),
		ui.On(keymap.Right, func() { p.col = min(p.col+sideways, p.farthest()) }),
		ui.On(keymap.LineStart, func() { p.col = 0 }),
		ui.On(keymap.LineEnd, func() { p.col = p.farthest() }),
	)
}

// openRevision asks for the revision of the line under the cursor.
func (p *BlamePane) openRevision() {
	if p.cursor() >= p.lines() {
		return
	}
	r, ok := p.doc.revs[p.doc.lines[p.cursor()].Rev]
	if !ok {
		p.env.Emit(ui.Say{Level: ui.Info, Text: "This line is older than the journal"})
		return
	}
	p.env.Emit(openBlamed{r})
}

// farthest is the first cell shown when the end of the cursor's line is on the screen.
func (p *BlamePane) farthest() int {
	if p.wrap || p.cursor() >= p.lines() {
		return 0
	}
	line := p.doc.text(p.cursor())
	return max(p.col, text.Column(line, len(line), p.env.Text(0))-p.textWidth())
}

// Click moves the cursor to a row of the screen; it reports whether the cursor was there.
func (p *BlamePane) Click(y int) bool {
	_, again := p.view.Click(y)
	return again
}

// Cursor implements [ui.Pane].
func (p *BlamePane) Cursor() (ui.Point, bool) {
	return ui.Point{Y: p.view.CursorRow()}, p.cursor() < p.lines()
}
