package diffpane

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// titleRows is the number of lines above the diff.
const titleRows = 1

// total is the number of lines with the title.
func (p *Pane) total() int {
	switch {
	case p.on != nil:
		return titleRows + p.on.Len()
	case p.result != nil:
		return titleRows + len(p.noteRows())
	default:
		return 0
	}
}

// line is the one under the cursor; the title is line 0.
func (p *Pane) line() int { return p.view.Cursor.Line }

// goTop goes to the title.
func (p *Pane) goTop() { p.view.Cursor, p.view.Top, p.col = ui.Place{}, ui.Place{}, 0 }

// heights keeps how many rows the lines of a sheet take: to find out, they are laid out.
type heights struct {
	of    layout
	lines map[int]int
}

// layout is what the height of a line depends on.
type layout struct {
	on    sheet
	width int
	text  text.Options
}

// keepHeights bounds the heights that are kept.
const keepHeights = 4096

// rowsOf is how many rows of the screen a line takes.
func (p *Pane) rowsOf(line int) int {
	if !p.wrap || p.on == nil || line < titleRows {
		return 1
	}
	of := layout{p.on, p.w, p.env.Text(0)}
	if p.heights.of != of || len(p.heights.lines) >= keepHeights {
		p.heights = heights{of, map[int]int{}}
	}
	h, ok := p.heights.lines[line]
	if !ok {
		h = 1
		if lines := p.on.lines(line-titleRows, 1); len(lines) > 0 {
			h = p.height(lines[0])
		}
		p.heights.lines[line] = h
	}
	return h
}

const textNoMoreHunks = "no further hunk in this direction"

func (p *Pane) hunk(forward bool) {
	if p.on == nil {
		return
	}
	at := p.on.PrevChange(p.line() - titleRows)
	if forward {
		at = p.on.NextChange(p.line() - titleRows)
	}
	if at < 0 {
		p.env.Emit(ui.Say{Text: textNoMoreHunks})
		return
	}
	p.view.MoveTo(at + titleRows)
}

func (p *Pane) motions() []ui.Action {
	return append(ui.BindMotions(func(id keymap.ID) tea.Cmd {
		p.view.Motion(id)
		return nil
	}),
		ui.Action{ID: keymap.Left, Run: ui.Do(func() { p.col = max(0, p.col-sideways) })},
		ui.Action{ID: keymap.Right, Run: ui.Do(p.right)},
		ui.Action{ID: keymap.LineStart, Run: ui.Do(func() { p.col = 0 })},
		ui.Action{ID: keymap.LineEnd, Run: ui.Do(p.lineEnd)},
		ui.Action{ID: keymap.Wrap, Run: ui.Do(func() {
			p.SetWrap(!p.wrap)
			p.env.Emit(ui.Say{Text: p.env.Keyed(ui.WrapText(p.wrap))})
		})},
	)
}

// sideways is how many cells one step left or right scrolls.
const sideways = 8

// right scrolls sideways as far as a line on the screen goes.
func (p *Pane) right() {
	if p.on == nil {
		return
	}
	if p.wrap {
		p.env.Emit(ui.Say{Text: ui.WrapText(true)})
		return
	}
	for _, l := range p.on.lines(max(0, p.view.Top.Line-titleRows), p.h) {
		for side, row := range l.sides {
			// Only whether the line reaches that far is asked for: it may be very long.
			if text.ByteAt(row.Text, p.col+p.room(side), p.env.Text(0)) < len(row.Text) {
				p.col += sideways
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
	if p.wrap {
		p.env.Emit(ui.Say{Text: ui.WrapText(true)})
		return
	}
	p.col = 0
	for side, row := range l.sides {
		over := text.Column(row.Text, len(row.Text), p.env.Text(0)) - p.room(side)
		p.col = max(p.col, (over+sideways-1)/sideways*sideways)
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
