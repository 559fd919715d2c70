package diffpane

import (
	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// titleRows is the number of lines above the diff.
const titleRows = 1

// total is the number of lines with the title.
func (p *Pane) total() int {
	switch {
	case p.columns.on != nil:
		return titleRows + p.columns.on.Len()
	case p.result != nil:
		return titleRows + len(p.noteRows())
	default:
		return 0
	}
}

// line is the one under the cursor; the title is line 0.
func (p *Pane) line() int { return p.view.Cursor.Line }

// goTop goes to the title.
func (p *Pane) goTop() { p.view.Cursor, p.view.Top, p.columns.col = ui.Place{}, ui.Place{}, 0 }

const textNoMoreHunks = "no further hunk in this direction"

func (p *Pane) hunk(forward bool) {
	if p.columns.on == nil {
		return
	}
	at := p.columns.on.PrevChange(p.line() - titleRows)
	if forward {
		at = p.columns.on.NextChange(p.line() - titleRows)
	}
	if at < 0 {
		p.env.Emit(ui.Say{Text: textNoMoreHunks})
		return
	}
	p.view.MoveTo(at + titleRows)
}

func (p *Pane) motions() []ui.Action {
	return append(p.view.Bindings(),
		ui.On(keymap.Left, func() { p.columns.col = max(0, p.columns.col-sideways) }),
		ui.On(keymap.Right, p.right),
		ui.On(keymap.LineStart, func() { p.columns.col = 0 }),
		ui.On(keymap.LineEnd, p.lineEnd),
		ui.On(keymap.Wrap, func() {
			p.SetWrap(!p.columns.wrap)
			p.env.Emit(ui.Say{Text: p.env.Keyed(ui.WrapText(p.columns.wrap))})
		}),
	)
}

// sideways is how many cells one step left or right scrolls.
const sideways = 8

// right scrolls sideways as far as a line on the screen goes.
func (p *Pane) right() {
	if p.columns.on == nil {
		return
	}
	if p.columns.wrap {
		p.env.Emit(ui.Say{Text: ui.WrapText(true)})
		return
	}
	for _, l := range p.columns.on.lines(max(0, p.view.Top.Line-titleRows), p.h) {
		for side, row := range l.sides {
			// Only whether the line reaches that far is asked for: it may be very long.
			if text.ByteAt(row.Text, p.columns.col+p.columns.room(side), p.env.Text(0)) < len(row.Text) {
				p.columns.col += sideways
				return
			}
		}
	}
}

// lineEnd scrolls sideways to the end of the line under the cursor, the longer one of two.
func (p *Pane) lineEnd() {
	l, ok := p.current()
	if !ok || l.whole() {
		return
	}
	if p.columns.wrap {
		p.env.Emit(ui.Say{Text: ui.WrapText(true)})
		return
	}
	p.columns.col = 0
	for side, row := range l.sides {
		over := text.Column(row.Text, len(row.Text), p.env.Text(0)) - p.columns.room(side)
		p.columns.col = max(p.columns.col, (over+sideways-1)/sideways*sideways)
	}
}

// Click moves the cursor to a row of the screen; it reports whether the cursor was there.
func (p *Pane) Click(y int) bool {
	hit, again := p.view.Click(y)
	if hit {
		p.view.Reveal()
	}
	return again
}

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) { return ui.Point{Y: p.view.CursorRow()}, p.result != nil }
