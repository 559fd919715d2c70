package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/tui/ui"
)

const labelCommand = "running the command"

// edit opens the file under the cursor in the user's editor.
func (m *Model) edit() tea.Cmd {
	at := m.pathAtCursor()
	if n := m.node(at); n != nil && n.Kind == memstore.KindDir {
		m.tell(ui.Info, "a folder has no text to edit; choose a file")
		return nil
	}
	line := 0
	if m.viewer.Path() == at {
		line, _ = m.viewer.Line()
	}
	return m.drafts.Edit(at, line)
}

// pathAtCursor is the agent path that the pane with the focus is about.
func (m *Model) pathAtCursor() string {
	change, changed := m.strip.Selected()
	switch {
	case m.screen == onCurate:
		return m.curate.Path()
	case m.focus == onStrip && changed:
		return change.Path
	case m.focus == onMain && m.mainTab().Path() != "":
		return m.mainTab().Path()
	default:
		at, _ := m.tree.Selected()
		return at
	}
}
