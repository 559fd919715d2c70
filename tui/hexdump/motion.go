package hexdump

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/ui"
)

// Actions implements [ui.Pane].
func (p *Pane) Actions() *ui.Actions { return p.actions }

func (p *Pane) bindings() []ui.Action {
	actions := []ui.Action{
		{ID: keymap.SearchNext, Run: func() tea.Cmd { return p.next(false) }},
		{ID: keymap.SearchPrev, Run: func() tea.Cmd { return p.next(true) }},
	}
	actions = append(actions, ui.BindMotions(p.move)...)
	return append(actions, ui.Bind(p.move, keymap.Left, keymap.Right)...)
}

func (p *Pane) move(id keymap.ID) tea.Cmd {
	if p.doc == nil {
		return nil
	}
	switch id {
	case keymap.Left:
		p.moveTo(p.cursor - 1)
	case keymap.Right:
		p.moveTo(p.cursor + 1)
	case keymap.Top:
		p.moveTo(0)
	case keymap.Bottom:
		p.moveTo(p.doc.size - 1)
	default:
		p.inRows(func(v *ui.TextView) { v.Motion(id) })
	}
	return p.ensure()
}

// GoTo puts the cursor on a byte of the file, as soon as it is open.
func (p *Pane) GoTo(offset int64) tea.Cmd {
	if p.doc == nil || p.doc.path != p.opening.Target || p.opening.Busy() {
		p.want = &offset
		return nil
	}
	p.moveTo(offset)
	return p.ensure()
}

// moveTo puts the cursor on a byte and brings it into sight.
func (p *Pane) moveTo(at int64) {
	p.cursor = max(0, min(at, p.doc.size-1))
	p.inRows((*ui.TextView).Reveal)
}

// inRows moves screen and cursor by rows; the cursor stays in its column.
func (p *Pane) inRows(move func(v *ui.TextView)) {
	n := int64(p.perRow())
	row := func(at int64) ui.Place { return ui.Place{Line: int(at / n)} }
	v := ui.TextView{
		Count: func() int { return int((p.doc.size + n - 1) / n) }, Height: func(int) int { return 1 },
		Centre: true, H: max(1, p.h), Cursor: row(p.cursor), Top: row(p.top),
	}
	move(&v)
	p.top = int64(v.Top.Line) * n
	p.cursor = max(0, min(int64(v.Cursor.Line)*n+p.cursor%n, p.doc.size-1))
}

// Click moves the cursor to the start of a row of the screen; it reports whether the cursor was there.
func (p *Pane) Click(y int) bool {
	if p.doc == nil {
		return false
	}
	var hit, again bool
	p.inRows(func(v *ui.TextView) { hit, again = v.Click(y) })
	if hit && !again {
		p.cursor -= p.cursor % int64(p.perRow())
	}
	return again
}

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) {
	if p.doc == nil || p.doc.size == 0 {
		return ui.Point{}, false
	}
	n := int64(p.perRow())
	y := int(min(max(0, (p.cursor-p.top)/n), int64(max(0, p.h-1))))
	return ui.Point{X: min(p.byteColumn(int(p.cursor%n)), max(0, p.w-1)), Y: y}, true
}
