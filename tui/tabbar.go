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
	for _, t := range m.tabs(w) {
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
		at += t.width
	}
	return "", false
}

// tabForm is how much room the tabs take.
type tabForm uint8

const (
	roomy   tabForm = iota // with two blanks between them
	tight                  // with one
	keyOnly                // without the names, but for that of the current one
)

// tabs are those of the row, in the first form that fits. Every tab keeps its count.
func (m *Model) tabs(w int) (tabs []drawnTab) {
	for _, form := range []tabForm{roomy, tight, keyOnly} {
		tabs = nil
		width := 1
		for i, row := range m.stage.screens {
			if row.screen != nil && !m.closed(row.id) {
				tabs = append(tabs, m.tab(row, i == m.stage.at, form))
				width += tabs[len(tabs)-1].width
			}
		}
		if width <= w {
			return tabs
		}
	}
	current := m.stage.screens[m.stage.at].id
	return slices.DeleteFunc(tabs, func(t drawnTab) bool { return t.id != current || t.width >= w })
}

// tab makes one tab: its key, its name if there is room or it is the current one, and the count of what waits there.
func (m *Model) tab(row screenTab, current bool, form tabForm) drawnTab {
	st := m.env.Styles
	a, _ := m.env.Keys.ByID(row.id)
	t := drawnTab{id: row.id}
	add := func(s string, paint theme.Paint) {
		t.parts, t.width = append(t.parts, piece{s, paint}), t.width+text.Width(s)
	}
	paint, said, between, end := st.TabInactive, a.KeyText(m.env.ASCII), ":", ""
	if form != keyOnly || current {
		said, between = said+" "+row.name, " "
	}
	switch {
	case current:
		paint, said, end = st.TabActive, "["+said, "]"
	case form == roomy:
		said, end = " "+said, " "
	}
	add(said, paint)
	if count := waitsOn(row.screen); count != "" {
		add(between, paint)
		add(count, st.Unread)
	}
	add(end, paint)
	if form != roomy {
		add(" ", paint)
	}
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
