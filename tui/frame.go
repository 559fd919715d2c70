package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// View implements [tea.Model]. The frame is a concatenation of rows of exact
// width: measured about fifty times cheaper than composing layers.
func (m *Model) View() tea.View {
	rows, cursor := m.frame()
	v := tea.NewView(strings.Join(rows, "\n"))
	v.AltScreen = true
	if !m.options.Preferences.MouseOff {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = "memcurator"
	if !m.stage.shows(keymap.ScreenStores) {
		v.WindowTitle += " " + text.Clean(m.options.Title)
	}
	if cursor != nil {
		v.Cursor = tea.NewCursor(cursor.X, cursor.Y)
		v.Cursor.Blink = false
	}
	return v
}

const textTooSmall = "too small"

// frame draws the screen as rows and says where the terminal's cursor stands.
func (m *Model) frame() ([]string, *kit.Point) {
	w, h := m.stage.w, m.stage.h
	if w <= 0 || h <= 0 {
		return nil, nil
	}
	l := m.stage.layout
	if l.tooSmall {
		rows := slices.Repeat([]string{strings.Repeat(" ", w)}, h)
		rows[0] = text.Pad(textTooSmall, w)
		return rows, nil
	}
	rows := make([]string, 0, h)
	rows = append(rows, m.topBar(w))
	if !l.tabs.Empty() {
		rows = append(rows, m.tabBar(w))
	}
	if !l.banner.Empty() {
		rows = append(rows, m.banner(w))
	}
	masked := len(rows) // from this row on; above are words of the program
	rows = append(rows, m.body()...)
	bottom, at := m.bottomBar(w, m.scopes())
	rows = append(rows, bottom)
	cursor := m.paneCursor()
	if top, ok := m.boxes.Top(); ok {
		cursor = m.drawBox(rows, top)
	}
	if note := m.lineNote(w); note != "" && len(rows) > 2 {
		rows[len(rows)-2] = note
	}
	end := len(rows)
	if _, says := m.say.current(); !says || m.line.Active() {
		end--
	}
	m.secrets.Masks.Hide(rows[masked:end])
	if at >= 0 {
		cursor = &kit.Point{X: at, Y: h - 1}
	}
	return rows, cursor
}

// body draws the panes: side by side with a divider between them, or one below the other.
func (m *Model) body() []string {
	l, screen := m.stage.layout, m.stage.screen()
	var rows []string
	place := func(r kit.Rect, drawn []string) {
		if len(rows) == 0 || r.X == 0 {
			rows = append(rows, drawn...)
			return
		}
		st := m.env.Styles
		divider := st.Border.Apply(st.Glyphs.Border.Left)
		for i, row := range drawn {
			rows[i] += divider + row
		}
	}
	column := func(f focus, title func(int) kit.Title) {
		if r := *l.pane(f); !r.Empty() {
			focused := m.stage.focus == f
			place(r, append([]string{rule(m.env.Styles, r.W, focused, title(r.W-titleEnds))}, m.stage.pane(f).Rows(focused)...))
		}
	}
	column(onList, screen.ListTitle)
	column(onDetail, func(width int) kit.Title { return kit.TitleOf(screen, m.env.Styles, width) })
	return rows
}

// titleEnds are the cells of a rule at both ends of its title, with the blanks there.
const titleEnds = 6

// rule draws the title of a pane: its name at the left, its place at the right if that fits too.
func rule(st *theme.Styles, w int, focused bool, title kit.Title) string {
	line, paint := st.Glyphs.Border.Top, st.Border
	if focused {
		line, paint = st.Glyphs.BorderFocused.Top, st.BorderFocused
	}
	left, right := " "+title.Left+" ", ""
	if title.Right != "" {
		right = " " + title.Right + " "
	}
	end := 2
	fill := w - 2*end - ansi.StringWidth(left) - ansi.StringWidth(right)
	if fill < 0 {
		fill, right = fill+ansi.StringWidth(right), ""
	}
	if fill < 0 {
		left, fill = ansi.Truncate(left, max(0, w-2*end), ""), 0
	}
	return ansi.Truncate(paint.Apply(strings.Repeat(line, end))+left+paint.Apply(strings.Repeat(line, fill))+right+
		paint.Apply(strings.Repeat(line, end)), w, "")
}

// border puts a border with a title around rows; title is painted and w-4 cells wide at most. The place is beside it, where it fits.
func border(st *theme.Styles, r kit.Rect, title, place string, rows []string) []string {
	b, paint := st.Glyphs.BorderFocused, st.BorderFocused
	out := make([]string, 0, r.H)
	fill := max(0, r.W-2-ansi.StringWidth(title)-1)
	end := paint.Apply(b.TopRight)
	if room := fill - text.Width(place) - 1; place != "" && room > 0 {
		fill, end = room, st.Dim.Apply(place)+paint.Apply(b.Top+b.TopRight)
	}
	out = append(out, paint.Apply(b.TopLeft+b.Top)+title+paint.Apply(strings.Repeat(b.Top, fill))+end)
	for _, row := range rows {
		out = append(out, paint.Apply(b.Left)+row+paint.Apply(b.Right))
	}
	return append(out, paint.Apply(b.BottomLeft+strings.Repeat(b.Bottom, max(0, r.W-2))+b.BottomRight))
}

// paneCursor is where the pane with the focus wants the terminal's cursor.
func (m *Model) paneCursor() *kit.Point {
	at, ok := m.stage.focused().Cursor()
	r := m.stage.rect(m.stage.focus)
	if !ok || r.Empty() {
		return nil
	}
	return &kit.Point{X: r.X + min(at.X, r.W-1), Y: r.Y + min(at.Y, r.H-1)}
}
