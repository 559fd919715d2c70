package browse

import (
	"fmt"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// TabName names a tab; its number is the place in the row.
type TabName uint8

// The tabs that other code names, in the order of the row.
const (
	View TabName = iota
	Diff
	History
	Blame
	Rendered
	Load
	Search
)

// Tabs is the row of tabs, one of which is shown.
type Tabs struct {
	env   *kit.Env
	row   []kit.Tab
	at    TabName
	stale map[TabName]bool // tabs out of sight whose file has changed since
	from  []TabName        // from which enter went on, until the user goes elsewhere
}

// enter goes on to a tab, from which esc leads back.
func (t *Tabs) enter(tab TabName) { t.from, t.at = append(t.from, t.at), tab }

// leave goes back to the tab from which enter went on; false: it did not.
func (t *Tabs) leave() bool {
	n := len(t.from) - 1
	if n >= 0 {
		t.from, t.at = t.from[:n], t.from[n]
	}
	return n >= 0
}

// Show shows a tab.
func (t *Tabs) Show(tab TabName) { t.at = tab }

// Shown is the tab that is shown.
func (t *Tabs) Shown() kit.Tab { return t.row[t.at] }

// InOrder are the tabs in the order in which an action that is called by its name is looked up: the shown one first.
func (t *Tabs) InOrder() []kit.Tab { return append([]kit.Tab{t.Shown()}, t.row...) }

// versioned reports whether the shown tab is about a revision.
func (t *Tabs) versioned() bool { return t.at == Diff || t.at == History }

// Title is the name of a tab.
func (t *Tabs) Title(tab TabName) string { return t.row[tab].Title() }

// At is its place in the row.
func (t *Tabs) At() TabName { return t.at }

// stateTab is a tab that reads the store: on a journey it shows another state of it.
type stateTab interface {
	// SetStore makes the tab read that state when it shows a path next, or reads it again: the one after revision rev, 0 for the newest.
	SetStore(s *memstore.Store, rev int64)
}

// file is a tab that shows the file under the tree's cursor; nil: it shows something else.
func (t *Tabs) file(tab TabName) kit.FileTab {
	if tab == Load {
		return nil
	}
	f, _ := t.row[tab].(kit.FileTab)
	return f
}

func available(t kit.Tab) bool {
	o, optional := t.(kit.Optional)
	return !optional || o.Available()
}

// step goes to the next or the previous tab that is available.
func (t *Tabs) step(by int) {
	t.from = nil
	n := len(t.row)
	at := int(t.at)
	for {
		at = (at + by + n) % n
		if available(t.row[at]) {
			t.at = TabName(at)
			return
		}
	}
}

// Restore shows the tab with a title, if it is available.
func (t *Tabs) Restore(title string) {
	for i, tab := range t.row {
		if tab.Title() == title && available(tab) {
			t.at = TabName(i)
		}
	}
}

// ShowSearch leaves a tab that "/" can't search.
func (t *Tabs) ShowSearch() {
	if kit.SearchOf(t.Shown()) == nil {
		t.at = View
	}
}

// showFiles leaves a tab that shows something else than the file under the tree's cursor.
func (t *Tabs) showFiles() {
	if t.file(t.at) == nil {
		t.at = View
	}
}

// outdate makes the tabs read their file again when they are next in sight. The view reads it again immediately.
func (t *Tabs) outdate() {
	for i := range t.row {
		if tab := TabName(i); tab != View && t.file(tab) != nil {
			t.stale[tab] = true
		}
	}
}

// Outdate makes a tab read its file again when it is next in sight.
func (t *Tabs) Outdate(tab TabName) { t.stale[tab] = true }

// span is where the name of a tab is drawn, in cells from the left of the title.
type span struct {
	tab      TabName
	from, to int
}

// Available are the tabs of the row.
func (t *Tabs) Available() []TabName {
	var shown []TabName
	for i, tab := range t.row {
		if available(tab) {
			shown = append(shown, TabName(i))
		}
	}
	return shown
}

// Under finds the tab whose name is drawn at a cell of a title of width cells.
func (t *Tabs) Under(cell, width int) (TabName, bool) {
	_, spans, _ := t.draw(width)
	for _, s := range spans {
		if cell >= s.from && cell < s.to {
			return s.tab, true
		}
	}
	return 0, false
}

// draw draws the row of tabs into width cells; where they don't fit, the shown one with its number.
func (t *Tabs) draw(width int) (painted string, spans []span, cells int) {
	st, all := t.env.Styles, t.Available()
	var b strings.Builder
	for i, tab := range all {
		name, paint := t.row[tab].Title(), st.TabInactive
		if tab == t.at {
			name, paint = "["+name+"]", st.TabActive
		}
		if i > 0 {
			b.WriteString(" ")
			cells++
		}
		spans = append(spans, span{tab, cells, cells + text.Width(name)})
		cells += text.Width(name)
		b.WriteString(paint.Apply(name))
	}
	if cells <= width {
		return b.String(), spans, cells
	}
	return t.drawShown(width, max(0, slices.Index(all, t.at))+1, len(all))
}

// drawShown names the shown tab and how many there are.
func (t *Tabs) drawShown(width, at, of int) (string, []span, int) {
	st := t.env.Styles
	name := "[" + t.Shown().Title() + "]"
	count := fmt.Sprintf(" %d/%d", at, of)
	if text.Width(name+count) > width {
		count = ""
	}
	name = text.Truncate(name, max(0, width), "")
	return st.TabActive.Apply(name) + st.Dim.Apply(count), nil, text.Width(name + count)
}
