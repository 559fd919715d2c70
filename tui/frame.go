package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// View implements [tea.Model]. The frame is a concatenation of rows of exact
// width: measured about fifty times cheaper than composing layers.
func (m *Model) View() tea.View {
	rows, cursor := m.frame()
	v := tea.NewView(strings.Join(rows, "\n"))
	v.AltScreen = true
	if !m.pointer.off {
		v.MouseMode = tea.MouseModeCellMotion
	}
	m.secrets.WantReleases(&v)
	v.WindowTitle = "memcurator " + text.Clean(m.options.Title)
	if cursor != nil {
		v.Cursor = tea.NewCursor(cursor.X, cursor.Y)
		v.Cursor.Blink = false
	}
	return v
}

const textTooSmall = "too small"

// frame draws the screen as rows and says where the terminal's cursor stands.
func (m *Model) frame() ([]string, *ui.Point) {
	w, h := m.stage.w, m.stage.h
	if w <= 0 || h <= 0 {
		return nil, nil
	}
	if m.stage.layout.tooSmall {
		rows := make([]string, h)
		for i := range rows {
			rows[i] = strings.Repeat(" ", w)
		}
		rows[0] = text.Pad(textTooSmall, w)
		return rows, nil
	}
	rows := make([]string, 0, h)
	rows = append(rows, m.topBar.draw(w))
	rows = append(rows, m.body()...)
	if !m.stage.layout.strip.Empty() {
		rows = append(rows, m.stage.strip().Rows(m.stage.focus == onStrip)...)
	}
	if m.stage.bannerHeight() > 0 {
		rows = append(rows, m.damage.banner(m.env.Styles, w))
	}
	bottom, at := m.bottomBar.draw(w, m.scopes())
	rows = append(rows, bottom)
	cursor := m.paneCursor()
	if note := m.bottomBar.note(w); note != "" && len(rows) > 2 {
		rows[len(rows)-2] = note
	}
	if top, ok := m.boxes.Top(); ok {
		cursor = m.boxes.draw(rows, top)
	}
	if at >= 0 {
		cursor = &ui.Point{X: at, Y: h - 1}
	}
	return rows, cursor
}

func (m *Model) body() []string {
	l, focus, screen := m.stage.layout, m.stage.focus, m.stage.screen()
	st := m.env.Styles
	var left, right []string
	if !l.list.Empty() {
		left = border(st, l.list, focus == onList, screen.ListTitle(l.list.W-4), screen.List().Rows(focus == onList))
	}
	if !l.detail.Empty() {
		right = border(st, l.detail, focus == onDetail, screen.DetailTitle(l.detail.W-4), screen.Detail().Rows(focus == onDetail))
	}
	switch {
	case left == nil:
		return right
	case right == nil:
		return left
	case l.list.Y != l.detail.Y:
		return append(left, right...)
	}
	for i := range left {
		left[i] += right[i]
	}
	return left
}

// border puts a border with a title around rows; title is painted and w-4 cells wide at most.
func border(st *theme.Styles, r ui.Rect, focused bool, title string, rows []string) []string {
	b, paint := st.Glyphs.Border, st.Border
	if focused {
		b, paint = st.Glyphs.BorderFocused, st.BorderFocused
	}
	out := make([]string, 0, r.H)
	fill := max(0, r.W-2-ansi.StringWidth(title)-1)
	out = append(out, paint.Apply(b.TopLeft+b.Top)+title+paint.Apply(strings.Repeat(b.Top, fill)+b.TopRight))
	for _, row := range rows {
		out = append(out, paint.Apply(b.Left)+row+paint.Apply(b.Right))
	}
	return append(out, paint.Apply(b.BottomLeft+strings.Repeat(b.Bottom, max(0, r.W-2))+b.BottomRight))
}

// paneCursor is where the pane with the focus wants the terminal's cursor.
func (m *Model) paneCursor() *ui.Point {
	at, ok := m.stage.focused().Cursor()
	r := m.stage.rect(m.stage.focus)
	if !ok || r.Empty() {
		return nil
	}
	return &ui.Point{X: r.X + min(at.X, r.W-1), Y: r.Y + min(at.Y, r.H-1)}
}
