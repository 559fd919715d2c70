package tui

import (
	"strconv"
	"strings"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// tabsRoomy is the width from which the tabs have blanks inside.
const tabsRoomy = 96

// tabBar is the row of the screens: those that can be opened, with what waits there.
type tabBar struct {
	env   *ui.Env
	stage *stage
}

// tab is a drawn tab.
type tab struct {
	id    keymap.ID
	parts []piece
	width int
}

// piece is a part of a row with its paint.
type piece struct {
	text  string
	paint theme.Paint
}

// draw draws the row.
func (b *tabBar) draw(w int) string {
	var row strings.Builder
	row.WriteString(" ")
	room := w - 1
	for i, t := range b.tabs(w) {
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

// under finds the screen whose tab is at a column.
func (b *tabBar) under(x, w int) (keymap.ID, bool) {
	at := 1
	for _, t := range b.tabs(w) {
		if x >= at && x < at+t.width {
			return t.id, true
		}
		at += t.width + 1
	}
	return "", false
}

// tabs are those of the row, as short as its width demands. The current one is cut last.
func (b *tabBar) tabs(w int) []tab {
	roomy, named := w >= tabsRoomy, true
	for {
		tabs, width := b.cut(roomy, named)
		if width < w {
			return tabs
		}
		switch {
		case roomy:
			roomy = false
		case named:
			named = false
		default:
			return fit(tabs, w, b.stage.screens[b.stage.at].id)
		}
	}
}

// fit leaves out tabs from the right, but not the current one.
func fit(tabs []tab, w int, current keymap.ID) []tab {
	var shown []tab
	room := w - 1
	for _, t := range tabs {
		if t.id == current {
			room -= t.width + 1
		}
	}
	for _, t := range tabs {
		if t.id != current {
			if room -= t.width + 1; room < 0 {
				continue
			}
		}
		shown = append(shown, t)
	}
	return shown
}

// cut makes the tabs and says how many cells they take.
func (b *tabBar) cut(roomy, named bool) (tabs []tab, width int) {
	for i, row := range b.stage.screens {
		if row.screen == nil {
			continue
		}
		t := b.tab(row, i == b.stage.at, roomy, named)
		tabs = append(tabs, t)
		width += t.width + 1
	}
	return tabs, width
}

// tab makes one tab: key, word, and the count of what waits there.
func (b *tabBar) tab(row registered, current, roomy, named bool) tab {
	st := b.env.Styles
	a, _ := b.env.Keys.ByID(row.id)
	key, count := a.KeyText(b.env.ASCII), waitsOn(row.screen)
	paint, open, end := st.TabInactive, "", ""
	switch {
	case current:
		paint, open, end = st.TabActive, "[", "]"
	case roomy:
		open, end = " ", " "
	}
	t := tab{id: row.id}
	add := func(s string, paint theme.Paint) {
		if s != "" {
			t.parts, t.width = append(t.parts, piece{s, paint}), t.width+text.Width(s)
		}
	}
	word, before := "", " "
	switch {
	case roomy:
		word = " " + row.name
	case named || current:
		word = row.name
	default:
		before = ":"
	}
	add(open+key+word, paint)
	if count != "" {
		add(before, paint)
		add(count, st.Unread)
	}
	add(end, paint)
	return t
}

// waitsOn is how much waits on a screen; "" for nothing.
func waitsOn(s ui.Screen) string {
	counted, ok := s.(ui.Counted)
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
