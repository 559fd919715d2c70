package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/text"
	"memcurator/tui/found"
	"memcurator/tui/hexdump"
	"memcurator/tui/pane"
	"memcurator/tui/rendered"
	"memcurator/tui/viewer"
)

// tab is the place of a tab in [Model.tabs], which is their order in the frame.
type tab uint8

const (
	tabView tab = iota
	tabDiff
	tabHistory
	tabBlame
	tabRendered
	tabHex
	tabSearch
)

// listener takes the outcomes of the jobs of one owner.
type listener struct {
	receive func(pane.Done) tea.Cmd
	failed  func() // told before the error is shown; may be nil
}

// addTab puts a tab at the end of the row and sends the outcomes of its jobs to it.
func (m *Model) addTab(t pane.Tab, owners ...string) {
	m.tabs = append(m.tabs, t)
	m.listen(t.Receive, owners...)
}

func (m *Model) listen(receive func(pane.Done) tea.Cmd, owners ...string) {
	for _, owner := range owners {
		m.listeners[owner] = listener{receive: receive}
	}
}

// addTabs builds the tabs in the order of their constants.
func (m *Model) addTabs() {
	m.addTab(m.viewer, viewer.Owners()...)
	m.addTab(m.diff)
	m.listenDiff(m.diff, ownerDiff)
	m.history = newHistory(m.env, m.options.Journal)
	m.addTab(m.history, ownerHistory)
	m.addBlame()
	m.addTab(m.rendered, rendered.Owners()...)
	m.addTab(m.hex, hexdump.Owners()...)
	m.addTab(m.found, found.Owner)
	m.listeners[found.Owner] = listener{m.found.Receive, m.found.Failed}
	for _, owner := range []string{viewer.OwnerOpen, viewer.OwnerListing} {
		m.listeners[owner] = listener{m.viewer.Receive, m.viewer.OpenFailed}
	}
	m.listeners[rendered.OwnerOpen] = listener{m.rendered.Receive, m.rendered.OpenFailed}
	m.listeners[hexdump.OwnerOpen] = listener{m.hex.Receive, m.hex.OpenFailed}
}

// mainTab is the tab that is shown.
func (m *Model) mainTab() pane.Tab { return m.tabs[m.tab] }

// fileTab is the shown tab, if it shows the file under the tree's cursor.
func (m *Model) fileTab() (pane.FileTab, bool) {
	t, ok := m.mainTab().(pane.FileTab)
	return t, ok
}

// searcher is the tab that "/" searches: the one that is shown, else the view.
func (m *Model) searcher() pane.Searcher {
	if m.onReplayScreen() && m.focus == onTree {
		return m.replay.list
	}
	if s, ok := m.secondPane().(pane.Searcher); ok {
		return s
	}
	return m.viewer
}

func available(t pane.Tab) bool {
	o, optional := t.(pane.Optional)
	return !optional || o.Available()
}

// stepTab goes to the next or the previous tab that is there.
func (m *Model) stepTab(by int) {
	n := len(m.tabs)
	at := int(m.tab)
	for {
		at = (at + by + n) % n
		if available(m.tabs[at]) {
			m.tab, m.stepped = tab(at), tab(at)
			return
		}
	}
}

// showFiles leaves a tab that shows something else than the file under the tree's cursor.
func (m *Model) showFiles() {
	if _, ok := m.fileTab(); !ok {
		m.tab = tabView
	}
}

// wake brings the shown tab up to date with the path and the changes that came while it
// was out of sight. It runs after every message and is cheap when there is nothing to do.
func (m *Model) wake() tea.Cmd { return tea.Batch(m.wakeFile(), m.sameLines()) }

// sameLines takes the place in the file along when the user goes from tab to tab; who jumps
// to a line of the view by name has a place already.
func (m *Model) sameLines() tea.Cmd {
	to, ok := m.mainTab().(pane.Lined)
	if !ok || m.tab == m.lined || m.layout.main.Empty() {
		return nil
	}
	from, ok := m.tabs[m.lined].(pane.Lined)
	stepped := m.stepped == m.tab
	m.lined = m.tab
	if !ok || !stepped || from.Path() != to.Path() {
		return nil
	}
	if top, cursor, ok := from.Lines(); ok {
		return to.ShowLines(top, cursor)
	}
	return nil
}

func (m *Model) wakeFile() tea.Cmd {
	t, ok := m.fileTab()
	if !ok || m.tab == tabView || m.screen != onBrowse || m.layout.main.Empty() {
		return nil
	}
	path := m.viewer.Path()
	if path != t.Path() {
		delete(m.stale, m.tab)
		if m.tab == tabHistory {
			return tea.Batch(t.Show(path), m.prepareTravel())
		}
		return t.Show(path)
	}
	if m.stale[m.tab] {
		delete(m.stale, m.tab)
		return t.Reload()
	}
	return nil
}

// goToOffset shows a byte of the open file in the hex tab.
func (m *Model) goToOffset(offset int64) tea.Cmd {
	m.tab, m.focus = tabHex, onMain
	return tea.Batch(m.relayout(), m.wake(), m.hex.GoTo(offset))
}

// reloadFiles reads the open file again: the view at once, the other tabs when they are seen.
func (m *Model) reloadFiles() tea.Cmd {
	for i, t := range m.tabs {
		if _, ok := t.(pane.FileTab); ok && tab(i) != tabView {
			m.stale[tab(i)] = true
		}
	}
	return m.viewer.Reload()
}

// moveFiles goes along with the open file, which got a new name.
func (m *Model) moveFiles(path string) tea.Cmd {
	var cmds []tea.Cmd
	from := m.viewer.Path()
	for _, t := range m.tabs {
		if f, ok := t.(pane.FileTab); ok && f.Path() == from {
			cmds = append(cmds, f.ShowMoved(path))
		}
	}
	return tea.Batch(cmds...)
}

// tabSpan is where the name of a tab stands in the frame, in cells from the left of the title.
type tabSpan struct {
	tab      tab
	from, to int
}

// tabNames draws the row of tabs into width cells: all of them, or the shown one with
// its number where they do not fit.
func (m *Model) tabNames(width int) (painted string, spans []tabSpan, cells int) {
	st := m.env.Styles
	var shown []tab
	for i, t := range m.tabs {
		if available(t) {
			shown = append(shown, tab(i))
		}
	}
	gap := " " + st.Glyphs.Separator + " "
	for i, t := range shown {
		lead, name, paint := " ", m.tabs[t].Title(), st.TabInactive
		if i > 0 {
			lead = gap
		}
		if t == m.tab {
			name, paint = "["+name+"]", st.TabActive
		}
		from := cells + text.Width(lead)
		cells = from + text.Width(name)
		spans = append(spans, tabSpan{t, from, cells})
		painted += st.Dim.Apply(lead) + paint.Apply(name)
	}
	if cells+1 <= width {
		return painted + " ", spans, cells + 1
	}
	return m.onlyTab(width, slices.Index(shown, m.tab)+1, len(shown))
}

// onlyTab names the shown tab and how many there are.
func (m *Model) onlyTab(width, at, of int) (string, []tabSpan, int) {
	st := m.env.Styles
	name := " [" + m.mainTab().Title() + "]"
	count := pane.TabCountText(at, of)
	if text.Width(name+count)+1 > width {
		count = ""
	}
	name = text.Truncate(name, max(0, width-1), "")
	return st.TabActive.Apply(name) + st.Dim.Apply(count) + " ", nil, text.Width(name+count) + 1
}

// tabTitle is the title of the main box, at most width cells: tabs, path, place.
func (m *Model) tabTitle(width int) string {
	st := m.env.Styles
	names, _, cells := m.tabNames(width)
	t := m.mainTab()
	path := t.Path()
	if path == "" {
		path = m.viewer.Path()
	}
	place := t.Place()
	room := width - cells - text.Width(place) - 3
	if room <= 0 {
		if width-cells-1 >= text.Width(place) && place != "" {
			return names + st.Dim.Apply(place) + " "
		}
		return names
	}
	var b strings.Builder
	b.WriteString(names)
	b.WriteString(st.Path.Apply(text.TruncateLeft(text.Clean(path), room, st.Glyphs.Ellipsis)))
	b.WriteString(" " + st.Dim.Apply(place) + " ")
	return b.String()
}

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
