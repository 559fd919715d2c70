package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/tui/found"
	"memcurator/tui/hexdump"
	"memcurator/tui/rendered"
	"memcurator/tui/ui"
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

// addTab puts a tab at the end of the row and sends the outcomes of its jobs to it.
func (m *Model) addTab(t ui.Tab, owners ...string) {
	m.tabs = append(m.tabs, t)
	m.env.Jobs.Listen(t.Receive, nil, owners...)
}

// addTabs builds the tabs in the order of their constants.
func (m *Model) addTabs() {
	m.addTab(m.viewer, viewer.Owners()...)
	m.addTab(m.diff)
	m.listenDiff(m.diff, ownerDiff)
	m.history = newHistory(m.env, m.kept())
	m.addTab(m.history, ownerHistory)
	m.addBlame()
	m.addTab(m.rendered, rendered.Owners()...)
	m.addTab(m.hex, hexdump.Owners()...)
	m.addTab(m.found, found.Owner)
	m.env.Jobs.Listen(m.found.Receive, m.found.Failed, found.Owner)
	m.env.Jobs.Listen(m.viewer.Receive, m.viewer.OpenFailed, viewer.OwnerOpen, viewer.OwnerListing)
	m.env.Jobs.Listen(m.rendered.Receive, m.rendered.OpenFailed, rendered.OwnerOpen)
	m.env.Jobs.Listen(m.hex.Receive, m.hex.OpenFailed, hexdump.OwnerOpen)
}

// mainTab is the tab that is shown.
func (m *Model) mainTab() ui.Tab { return m.tabs[m.tab] }

// fileTab is the shown tab, if it shows the file under the tree's cursor.
func (m *Model) fileTab() (ui.FileTab, bool) {
	t, ok := m.mainTab().(ui.FileTab)
	return t, ok
}

// searcher is the tab that "/" searches: the one that is shown, else the view.
func (m *Model) searcher() ui.Searcher {
	if s, ok := m.firstPane().(ui.Searcher); ok && m.focus == onTree {
		return s
	}
	if s, ok := m.secondPane().(ui.Searcher); ok {
		return s
	}
	return m.viewer
}

func available(t ui.Tab) bool {
	o, optional := t.(ui.Optional)
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
	to, ok := m.mainTab().(ui.Lined)
	if !ok || m.tab == m.lined || m.layout.main.Empty() {
		return nil
	}
	from, ok := m.tabs[m.lined].(ui.Lined)
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
		if _, ok := t.(ui.FileTab); ok && tab(i) != tabView {
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
		if f, ok := t.(ui.FileTab); ok && f.Path() == from {
			cmds = append(cmds, f.ShowMoved(path))
		}
	}
	return tea.Batch(cmds...)
}
