package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// drawOverlay splices the box into the finished rows.
func (m *Model) drawOverlay(rows []string, o ui.Overlay) *ui.Point {
	r := m.boxRect(o)
	in := inner(r)
	title := m.env.Styles.Title.Apply(" " + text.Truncate(text.Clean(o.Title()), max(0, r.W-5), "") + " ")
	lines := border(m.env.Styles, r, true, title, o.Rows(in.W, in.H))
	if f := o.Footer(); f != "" && len(lines) > 1 {
		lines[len(lines)-1] = footer(m.env.Styles, r, text.Clean(f))
	}
	for i, line := range lines {
		if y := r.Y + i; y < len(rows) {
			rows[y] = splice(rows[y], line, r.X, r.W, m.stage.w)
		}
	}
	at, _ := o.Cursor()
	return &ui.Point{X: in.X + at.X, Y: in.Y + at.Y}
}

// boxRect is the place of a box on the screen, with its border.
func (m *Model) boxRect(o ui.Overlay) ui.Rect {
	screenW, screenH := m.stage.w, m.stage.h
	w, h := o.Size(max(1, min(screenW-4, 110)), max(1, screenH-4))
	r := ui.Rect{W: min(screenW, w+2), H: min(screenH, h+2)}
	r.X, r.Y = (screenW-r.W)/2, (screenH-r.H)/2
	return r
}

// splice puts box over the cells [x, x+w) of a row of width cells. Where an edge
// cuts a wide character, a space stands for the half of it that is left.
func splice(row, box string, x, w, width int) string {
	left := ansi.Truncate(row, x, "")
	right := ansi.TruncateLeft(row, x+w, "")
	if ansi.StringWidth(right) > width-x-w { // the cut character was kept whole
		right = ansi.TruncateLeft(row, x+w+1, "")
	}
	gap := strings.Repeat(" ", max(0, x-ansi.StringWidth(left)))
	behind := strings.Repeat(" ", max(0, width-x-w-ansi.StringWidth(right)))
	return left + gap + box + behind + right
}

// footer is the lower border of a box with a note in it.
func footer(st *theme.Styles, r ui.Rect, note string) string {
	b := st.Glyphs.BorderFocused
	note = " " + text.Truncate(note, max(0, r.W-6), st.Glyphs.Ellipsis) + " "
	fill := max(0, r.W-3-text.Width(note))
	return st.BorderFocused.Apply(b.BottomLeft+b.Bottom) + st.Dim.Apply(note) + st.BorderFocused.Apply(strings.Repeat(b.Bottom, fill)+b.BottomRight)
}
