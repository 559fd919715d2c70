package tui

import (
	"path"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// openActions lists what can be done here: first with what has the focus, then anywhere.
func (m *Model) openActions() {
	var list []keymap.Action
	seen, taken := map[keymap.ID]bool{}, map[string]bool{}
	scopes := m.stage.focused().Scopes()
	if m.stage.shows(keymap.ScreenBrowse) { // those of the tree are about the file that is shown, too
		scopes = append(scopes, keymap.Tree)
	}
	for _, scope := range append(scopes, keymap.Global, keymap.Motion) {
		for _, a := range m.env.Keys.InScope(scope) {
			// An action closer to the focus has the key.
			if seen[a.ID] || len(a.Keys) > 0 && taken[a.Keys[0]] {
				continue
			}
			seen[a.ID] = true
			for _, key := range a.Keys {
				taken[key] = true
			}
			if m.runs(a.ID) {
				list = append(list, a)
			}
		}
	}
	title := "Keys"
	if name := m.nameAtCursor(); name != "" {
		title += ": " + name
	}
	legend := ""
	if screen, ok := m.stage.screen().(kit.Legended); ok {
		legend = screen.Legend()
	}
	m.listActions(title, legend, list)
}

// nameAtCursor names the row that actions are about; "" if it has no name.
func (m *Model) nameAtCursor() string {
	switch list := m.stage.screen().List().(type) {
	case kit.Named:
		return list.Name()
	case interface{ Path() string }:
		_, name := path.Split(text.Clean(list.Path()))
		return name
	}
	if m.stage.shows(keymap.ScreenBrowse) {
		return path.Base(text.Clean(m.browse.PathAtCursor()))
	}
	return ""
}

// listActions opens a list of actions, of which one runs by enter or by its key.
func (m *Model) listActions(title, legend string, actions []keymap.Action) {
	list := overlay.NewActions(m.env, title, actions)
	list.Legend = legend
	m.openBox(kit.Box{Overlay: list, Answers: map[keymap.ID]func() tea.Cmd{keymap.Accept: func() tea.Cmd {
		action, _ := list.Chosen()
		return m.perform(action.ID)
	}}})
}

// openCopy lists what can be copied here.
func (m *Model) openCopy() {
	rows := slices.DeleteFunc(slices.Clone(m.env.Keys.InScope(keymap.Copy)), func(a keymap.Action) bool { return !m.runs(a.ID) })
	if len(rows) == 0 {
		m.say.tell(kit.Info, textNothingToCopy)
		return
	}
	m.listActions("Copy", "", rows)
}
