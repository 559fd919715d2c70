package tui

import (
	"slices"
	"strconv"
	"strings"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// drawnTab is a tab in the row of the screens.
type drawnTab struct {
	id    keymap.ID
	parts []piece
	width int
}

// piece is a part of a row with its paint.
type piece struct {
	text  string
	paint theme.Paint
}

// tabBar draws the row of the screens: those that can be opened, with what waits there.
func (m *Model) tabBar(w int) string {
	var row strings.Builder
	row.WriteString(" ")
	room := w - 1
	for i, t := range m.tabs(w) {
		if i > 0 {
			row.WriteString(" ")
			room--
		}
		for _, p := range t.parts {
			row.WriteString(p.paint.Apply(p.text))
		}
		room -= t.width
	}
	return row.String() + strings.Repeat(" ", max(0, room))
}

// tabUnder finds the screen whose tab is at a column.
func (m *Model) tabUnder(x, w int) (keymap.ID, bool) {
	at := 1
	for _, t := range m.tabs(w) {
		if x >= at && x < at+t.width {
			return t.id, true
		}
		at += t.width + 1
	}
	return "", false
}

// shortName is how many letters a shortened name keeps.
const shortName = 3

// tabs are those of the row: with their names where they fit, else with three letters of those not in sight, or with their keys only. The
// current tab keeps its name, and every tab its count.
func (m *Model) tabs(w int) (tabs []drawnTab) {
	for _, letters := range []int{len("Changes"), shortName, 0} {
		tabs = nil
		width := 0
		for i, row := range m.stage.screens {
			if row.screen != nil && !m.closed(row.id) {
				tabs = append(tabs, m.tab(row, i == m.stage.at, letters))
				width += 1 + tabs[len(tabs)-1].width
			}
		}
		if width <= w {
			return tabs
		}
	}
	current := m.stage.screens[m.stage.at].id
	return slices.DeleteFunc(tabs, func(t drawnTab) bool { return t.id != current || t.width >= w })
}

// tab makes one tab: key, as many letters of its name, all if it is the current one, and the count of what waits there.
func (m *Model) tab(row screenTab, current bool, letters int) drawnTab {
	st := m.env.Styles
	a, _ := m.env.Keys.ByID(row.id)
	t := drawnTab{id: row.id}
	add := func(s string, paint theme.Paint) {
		if s != "" {
			t.parts, t.width = append(t.parts, piece{s, paint}), t.width+text.Width(s)
		}
	}
	paint, open, end, word := st.TabInactive, "", "", row.name
	switch {
	case current:
		paint, open, end = st.TabActive, "[", "]"
	case letters < shortName:
		word = ""
	case letters == shortName:
		word = word[:min(shortName, len(word))]
	default:
		open, end = " ", " "
	}
	if word != "" && (current || letters > shortName) {
		word = " " + word
	}
	add(open+a.KeyText(m.env.ASCII)+word, paint)
	if count := waitsOn(row.screen); count != "" {
		between := " "
		if word == "" {
			between = ":"
		}
		add(between, paint)
		add(count, st.Unread)
	}
	add(end, paint)
	return t
}

// waitsOn is how much waits on a screen; "" for nothing.
func waitsOn(s kit.Screen) string {
	counted, ok := s.(kit.Counted)
	if !ok {
		return ""
	}
	switch n := counted.Waiting(); {
	case n <= 0:
		return ""
	case n > 99:
		return "99+"
	default:
		return strconv.Itoa(n)
	}
}
