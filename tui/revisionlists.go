package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/tui/timeline"
)

// openRevisions are the lists that the user has opened.
func (m *Model) openRevisions() []*timeline.Pane {
	var out []*timeline.Pane
	if list := m.browse.OpenHistory(); list != nil {
		out = append(out, list)
	}
	for _, s := range m.revisionScreens {
		if s.Visited() {
			out = append(out, s.Revisions())
		}
	}
	return out
}

// rereadRevisions reads the open lists again.
func (m *Model) rereadRevisions() tea.Cmd {
	var cmds []tea.Cmd
	for _, list := range m.openRevisions() {
		cmds = append(cmds, list.Reread())
	}
	return tea.Batch(cmds...)
}
