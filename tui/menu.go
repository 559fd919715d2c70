package tui

import (
	"path"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/browse"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// menu is the box of all that can be done here.
type menu struct {
	env      *kit.Env
	stage    *stage
	travel   *browse.Travel
	boxes    *boxes
	say      *messages
	dispatch *dispatch
	answer   func(kit.Box, keymap.ID) tea.Cmd
}

// anywhere are the verbs of what can be done on every screen and is about none of them: the help has them.
var anywhere = []string{"down", "first", "focus", "help", "last", "leave", "left", "list", "pick", "quit",
	"recall", "redraw", "right", "run",
	"scroll", "show", "suspend", "switch", "up", "zoom"}

// open shows what can be done now with what has the focus.
func (m *menu) open() {
	var can []keymap.Action
	seen, taken := map[keymap.ID]bool{}, map[string]bool{}
	for _, s := range append(m.stage.focused().Scopes(), keymap.Global) {
		for _, a := range m.env.Keys.InScope(s) {
			if seen[a.ID] || slices.Contains(anywhere, a.Verb()) {
				continue
			}
			seen[a.ID] = true
			if len(a.Keys) > 0 && taken[a.Keys[0]] {
				continue // an action closer to the focus has its key
			}
			for _, key := range a.Keys {
				taken[key] = true
			}
			if m.dispatch.runs(a.ID) {
				can = append(can, a)
			}
		}
	}
	slices.SortStableFunc(can, func(a, b keymap.Action) int { // what has a key before what has none
		return min(len(b.Keys), 1) - min(len(a.Keys), 1)
	})
	title := "x"
	if at, ok := m.stage.screen().List().(kit.Named); ok && at.Name() != "" {
		title = "x: " + at.Name()
	} else if at, ok := m.stage.screen().List().(interface{ Path() string }); ok && at.Path() != "" {
		title = "x: " + path.Base(text.Clean(at.Path()))
	} else if m.stage.shows(keymap.ScreenBrowse) {
		title = "x: " + path.Base(text.Clean(m.travel.Shown().PathAtCursor()))
	}
	m.boxes.show(overlay.NewActionMenu(m.env, title, can))
}

// openCopy lists what can be copied here.
func (m *menu) openCopy() {
	rows := slices.DeleteFunc(slices.Clone(m.env.Keys.InScope(keymap.Copy)), func(a keymap.Action) bool { return !m.dispatch.runs(a.ID) })
	if len(rows) == 0 {
		m.say.tell(kit.Info, textNothingToCopy)
		return
	}
	m.boxes.show(overlay.NewMenu(m.env, "Copy", keymap.Copy, rows))
}

// key passes a key to the menu on top: one of its own, or that of an action, which it closes and runs.
func (m *menu) key(box *overlay.ActionMenu, own keymap.Action, known bool, key string) tea.Cmd {
	at, ok := box.Chosen()
	if !known {
		at, ok = box.Keyed(key)
	}
	switch {
	case known && own.ID != keymap.Accept:
		top, _ := m.boxes.Top()
		return m.answer(top, own.ID)
	case !ok:
		return nil
	}
	m.boxes.Close(box)
	return m.dispatch.perform(at.ID)
}
