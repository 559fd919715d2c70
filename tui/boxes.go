package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// diffInSight is the revision whose diff the user can read, 0 for none.
func (m *Model) diffInSight() int64 {
	screen, ok := m.stage.screen().(kit.Reviewed)
	if !ok || m.boxes.Len() > 0 {
		return 0
	}
	return screen.DiffInSight()
}

// openBox puts a box on top.
func (m *Model) openBox(box kit.Box) {
	m.secrets.Masks.Mask()
	m.say.hide() // it was about what the box covers
	m.boxes.Open(box)
}

// openUnasked puts a box on top that the user did not ask for: what is typed in that moment was meant for something else, and must
// not answer it.
func (m *Model) openUnasked(box kit.Box) {
	m.openBox(box)
	m.ignoreKeysUntil = time.Now().Add(m.options.Grace)
}

// showBox puts an overlay on top that asks nothing.
func (m *Model) showBox(o kit.Overlay) { m.openBox(kit.Box{Overlay: o}) }

// ask opens a question.
func (m *Model) ask(title, body string, yes func() tea.Cmd) {
	m.openBox(kit.Box{Overlay: overlay.NewQuestion(m.env, title, body), Answers: map[keymap.ID]func() tea.Cmd{keymap.Yes: yes}})
}

// asks reports whether the box on top is a question.
func (m *Model) asks() bool {
	top, _ := m.boxes.Top()
	_, ok := top.Overlay.(*overlay.Question)
	return ok
}

// ignoresKeys reports whether the box on top has opened by itself just now.
func (m *Model) ignoresKeys() bool { return m.boxes.Len() > 0 && time.Now().Before(m.ignoreKeysUntil) }

// drawBox splices a box into the finished rows and returns where its cursor is.
func (m *Model) drawBox(rows []string, o kit.Overlay) *kit.Point {
	st, r := m.env.Styles, m.boxRect(o)
	in := inner(r)
	title := st.Title.Apply(" " + text.Truncate(text.Clean(o.Title()), max(0, r.W-5), st.Glyphs.Ellipsis) + " ")
	inside := o.Rows(in.W, in.H)
	lines := border(st, r, title, extent(o), inside)
	if f := o.Footer(); f != "" && len(lines) > 1 {
		lines[len(lines)-1] = footer(st, r, text.Clean(f))
	}
	for i, line := range lines {
		if y := r.Y + i; y < len(rows) {
			rows[y] = splice(rows[y], line, r.X, r.W, m.stage.w)
		}
	}
	at, _ := o.Cursor()
	return &kit.Point{X: in.X + at.X, Y: in.Y + at.Y}
}

// extent says which rows of an overlay are in sight, where there are more.
func extent(o kit.Overlay) string {
	if box, ok := o.(kit.Box); ok {
		o = box.Overlay
	}
	if s, ok := o.(kit.Scrolled); ok {
		if first, shown, all := s.Extent(); all > shown && shown > 0 {
			return fmt.Sprintf(" %d-%d of %d ", first+1, min(first+shown, all), all)
		}
	}
	return ""
}

// boxRect is the place of a box on the screen, with its border.
func (m *Model) boxRect(o kit.Overlay) kit.Rect {
	screenW, screenH := m.stage.w, m.stage.h
	w, h := o.Size(max(1, min(screenW-4, 110)), max(1, screenH-4))
	r := kit.Rect{W: min(screenW, w+2), H: min(screenH, h+2)}
	r.X, r.Y = (screenW-r.W)/2, (screenH-r.H)/2
	return r
}

// splice puts box over the cells [x, x+w) of a row of width cells. Where an edge
// cuts a wide character, a space replaces the remaining half.
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
func footer(st *theme.Styles, r kit.Rect, note string) string {
	b := st.Glyphs.BorderFocused
	note = " " + text.Truncate(note, max(0, r.W-6), st.Glyphs.Ellipsis) + " "
	fill := max(0, r.W-3-text.Width(note))
	return st.BorderFocused.Apply(b.BottomLeft+b.Bottom) + st.Dim.Apply(note) +
		st.BorderFocused.Apply(strings.Repeat(b.Bottom, fill)+b.BottomRight)
}
