package tui

import (
	"fmt"
	"slices"
	"strings"

	"memcurator/render/text"
	"memcurator/render/theme"
)

// tabSpan is where the name of a tab stands in the frame, in cells from the left of the title.
// The signs for tabs that do not fit stand for the first of them.
type tabSpan struct {
	tab      tab
	from, to int
}

// availableTabs are those that the row of tabs has.
func (m *Model) availableTabs() []tab {
	var shown []tab
	for i, t := range m.tabs {
		if available(t) {
			shown = append(shown, tab(i))
		}
	}
	return shown
}

// tabNames draws the row of tabs into width cells: all of them, else as many as fit around the
// shown one, with a sign where there are more. Where the path has no other place on the
// screen it is left room for, and the shown one comes with its number.
func (m *Model) tabNames(width int) (painted string, spans []tabSpan, cells int) {
	all := m.availableTabs()
	at := slices.Index(all, m.tab)
	if at < 0 { // it has become unavailable: no name is marked
		at = 0
	}
	from, to := 0, len(all)
	if painted, spans, cells = m.drawTabs(all, from, to); cells <= width {
		return painted, spans, cells
	}
	if m.layout.tree.Empty() {
		return m.onlyTab(width, at+1, len(all))
	}
	from, to = m.tabsAround(all, at, width-text.Width(m.mainTab().Place())-1)
	if to-from < 2 {
		return m.onlyTab(width, at+1, len(all))
	}
	return m.drawTabs(all, from, to)
}

// tabsAround widens the part of the tabs that is shown, first to the right, as far as it fits.
func (m *Model) tabsAround(all []tab, at, width int) (from, to int) {
	from, to = at, at+1
	fits := func(from, to int) bool {
		if from < 0 || to > len(all) {
			return false
		}
		_, _, cells := m.drawTabs(all, from, to)
		return cells <= width
	}
	for grown := true; grown; {
		grown = false
		if fits(from, to+1) {
			to, grown = to+1, true
		}
		if fits(from-1, to) {
			from, grown = from-1, true
		}
	}
	return from, to
}

// drawTabs draws the names of some of the tabs with a blank at both ends.
func (m *Model) drawTabs(all []tab, from, to int) (painted string, spans []tabSpan, cells int) {
	st := m.env.Styles
	var b strings.Builder
	put := func(t tab, name string, paint theme.Paint) {
		lead := " "
		if len(spans) > 0 {
			lead = " " + st.Glyphs.Separator + " "
		}
		begin := cells + text.Width(lead)
		cells = begin + text.Width(name)
		spans = append(spans, tabSpan{t, begin, cells})
		b.WriteString(st.Dim.Apply(lead) + paint.Apply(name))
	}
	if from > 0 {
		put(all[from-1], st.Glyphs.Ellipsis, st.TabInactive)
	}
	for _, t := range all[from:to] {
		name, paint := m.tabs[t].Title(), st.TabInactive
		if t == m.tab {
			name, paint = "["+name+"]", st.TabActive
		}
		put(t, name, paint)
	}
	if to < len(all) {
		put(all[to], st.Glyphs.Ellipsis, st.TabInactive)
	}
	return b.String() + " ", spans, cells + 1
}

// onlyTab names the shown tab and how many there are.
func (m *Model) onlyTab(width, at, of int) (string, []tabSpan, int) {
	st := m.env.Styles
	name := " [" + m.mainTab().Title() + "]"
	count := fmt.Sprintf(" %d/%d", at, of)
	if text.Width(name+count)+1 > width {
		count = ""
	}
	name = text.Truncate(name, max(0, width-1), "")
	return st.TabActive.Apply(name) + st.Dim.Apply(count) + " ", nil, text.Width(name+count) + 1
}

// pathLeast is how many cells a cut path must have to tell anything.
const pathLeast = 8

// tabAt finds the tab whose name stands under a cell of the frame.
func (m *Model) tabAt(x, y int) (tab, bool) {
	r := m.layout.main
	if m.screen != onBrowse || r.Empty() || y != r.Y {
		return 0, false
	}
	_, spans, _ := m.tabNames(r.W - 4)
	for _, s := range spans {
		if at := x - r.X - 2; at >= s.from && at < s.to {
			return s.tab, true
		}
	}
	return 0, false
}
