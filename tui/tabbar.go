package tui

import (
	"strconv"
	"strings"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// tabsRoomy is the width from which the tabs have blanks inside.
const tabsRoomy = 96

// tabBar is the row of the screens: those that can be opened, with what waits there.
type tabBar struct {
	env   *kit.Env
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
	tabs, gap := b.tabs(w)
	for i, t := range tabs {
		if i > 0 {
			row.WriteString(strings.Repeat(" ", gap))
			room -= gap
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
	tabs, gap := b.tabs(w)
	for _, t := range tabs {
		if x >= at && x < at+t.width {
			return t.id, true
		}
		at += t.width + gap
	}
	return "", false
}

// spacing is where the tabs have blanks.
type spacing int

const (
	tight  spacing = iota // none
	spaced                // between key and name
	roomy                 // around them too
)

// wording is how much of its name a tab shows.
type wording int

const (
	named   wording = iota
	short           // the first letters
	keyOnly         // its key, and the count
)

// shortName is how many letters a shortened name keeps.
const shortName = 3

// tabs are those of the row, as short as its width demands, and how many blanks go between them: first the blanks around a name go, then
// those within, then one name after the other, from the right and where nothing waits before where something does. The current tab keeps
// its name, and every tab its count.
func (b *tabBar) tabs(w int) (tabs []tab, gap int) {
	var rows []screenTab
	for _, row := range b.stage.screens {
		if b.stage.opens(row) {
			rows = append(rows, row)
		}
	}
	current := b.stage.screens[b.stage.at].id
	tabs = make([]tab, len(rows))
	width := 0
	set := func(i int, blanks spacing, words wording) {
		width -= tabs[i].width
		tabs[i] = b.tab(rows[i], rows[i].id == current, blanks, words)
		width += tabs[i].width
	}
	all := func(blanks spacing, gap int) bool {
		for i := range rows {
			set(i, blanks, named)
		}
		return 1+width+(len(rows)-1)*gap <= w
	}
	switch {
	case w >= tabsRoomy && all(roomy, 1):
		return tabs, 1
	case all(spaced, 2): // a count must not look like the key of the next tab
		return tabs, 2
	case all(tight, 1):
		return tabs, 1
	}
	for _, words := range []wording{short, keyOnly} {
		for _, waits := range []bool{false, true} {
			for i := len(rows) - 1; i >= 0; i-- {
				if rows[i].id == current || waits != (waitsOn(rows[i].screen) != "") {
					continue
				}
				if set(i, tight, words); width+len(rows) <= w {
					return tabs, 1
				}
			}
		}
	}
	return fit(tabs, w, current), 1
}

// fit leaves out tabs from the right, but not the current one.
func fit(tabs []tab, w int, current keymap.ID) []tab {
	var shown []tab
	room := w
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

// tab makes one tab: key, word, and the count of what waits there.
func (b *tabBar) tab(row screenTab, current bool, blanks spacing, words wording) tab {
	st := b.env.Styles
	a, _ := b.env.Keys.ByID(row.id)
	key, count := a.KeyText(b.env.ASCII), waitsOn(row.screen)
	paint, open, end := st.TabInactive, "", ""
	switch {
	case current:
		paint, open, end = st.TabActive, "[", "]"
	case blanks == roomy:
		open, end = " ", " "
	}
	t := tab{id: row.id}
	add := func(s string, paint theme.Paint) {
		if s != "" {
			t.parts, t.width = append(t.parts, piece{s, paint}), t.width+text.Width(s)
		}
	}
	word, before := row.name, " "
	switch {
	case blanks != tight:
		word = " " + word
	case words == short:
		word = word[:min(shortName, len(word))]
	case words == keyOnly:
		word, before = "", ":"
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
