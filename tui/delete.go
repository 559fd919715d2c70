package tui

import (
	"path"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/edits"
	"memcurator/tui/prompt"
	"memcurator/tui/ui"
)

// acted lists what a key in the tree is about: the marked paths, without those that lie below
// another one, or the path under the cursor.
func (m *Model) actedOn() []string {
	marked := m.tree.Marked()
	if len(marked) == 0 {
		at, n := m.tree.Selected()
		if n == nil {
			return nil
		}
		marked = []string{at}
	}
	var out []string
	for _, p := range marked { // sorted: a folder comes before what is below it
		if p == memstore.Root {
			m.tell(ui.Info, "/memories itself stays; delete or move what is in it")
			return nil
		}
		below := false
		for _, top := range out {
			below = below || strings.HasPrefix(p, top+"/")
		}
		if !below {
			out = append(out, p)
		}
	}
	return out
}

// deleteMarked asks whether to delete what is marked.
func (m *Model) deleteMarked() tea.Cmd {
	return tea.Batch(m.goTo(onBrowse), m.edits.Delete(m.actedOn()))
}

// moveMarked renames or moves what is marked: of one path the new name is typed, of several the folder.
func (m *Model) moveMarked() tea.Cmd {
	list, shown := m.actedOn(), m.goTo(onBrowse)
	switch len(list) {
	case 0:
	case 1:
		name := prompt.Quote(list[0])
		m.line.Open(prompt.Command, memstore.CmdRename+" "+name+" "+name)
	default:
		m.line.Open(prompt.Command, string(keymap.Move)+" "+path.Dir(list[0])+"/")
	}
	return shown
}

// moveInto asks whether to move what is marked into a folder.
func (m *Model) moveInto(folder string) tea.Cmd {
	if m.edits.Refuses() {
		return nil
	}
	if _, err := memstore.ParsePath(folder); err != nil {
		m.tell(ui.Warn, edits.TextBadPath)
		return nil
	}
	return tea.Batch(m.goTo(onBrowse), m.edits.Move(m.actedOn(), backendPath(folder)))
}
