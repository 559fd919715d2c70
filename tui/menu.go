package tui

import (
	"fmt"
	"path"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/browse"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

// menu is the box of all that can be done here.
type menu struct {
	env      *ui.Env
	stage    *stage
	travel   *browse.Travel
	boxes    *boxes
	say      *messages
	dispatch *dispatch
	answer   func(ui.Box, keymap.ID) tea.Cmd
}

// anywhere are the verbs of what can be done on every screen and is about none of them: the help has them.
var anywhere = []string{"down", "first", "focus", "help", "last", "leave", "left", "list", "pick", "quit",
	"recall", "redraw", "right", "run",
	"scroll", "show", "suspend", "switch", "up", "zoom"}

// open shows what can be done with what has the focus and, dimmed and last, what cannot be done now, with the reason.
func (m *menu) open() {
	var can, cannot []overlay.MenuRow
	seen, taken := map[keymap.ID]bool{}, map[string]bool{}
	here := append(m.stage.focused().Scopes(), keymap.Global)
	for _, s := range here {
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
			row := overlay.MenuRow{Action: a, Why: m.dispatch.whyNot(a)}
			switch {
			case row.Why == "":
				can = append(can, row)
			case slices.Contains(acts, a.Verb()):
				cannot = append(cannot, row)
			}
		}
	}
	for _, a := range m.env.Keys.Actions() {
		if a.Scope.OnScreen() && len(a.Keys) > 0 && !seen[a.ID] && slices.Contains(acts, a.Verb()) {
			seen[a.ID] = true
			cannot = append(cannot, overlay.MenuRow{Action: a, Why: m.dispatch.needs(a)})
		}
	}
	slices.SortStableFunc(can, func(a, b overlay.MenuRow) int { return rankInMenu(a.Action) - rankInMenu(b.Action) })
	title := "x"
	if at, ok := m.stage.screen().List().(ui.Named); ok && at.Name() != "" {
		title = "x: " + at.Name()
	} else if at, ok := m.stage.screen().List().(interface{ Path() string }); ok && at.Path() != "" {
		title = "x: " + path.Base(text.Clean(at.Path()))
	} else if m.stage.shows(keymap.ScreenBrowse) {
		title = "x: " + path.Base(text.Clean(m.travel.Shown().PathAtCursor()))
	}
	m.boxes.show(overlay.NewActionMenu(m.env, title, append(can, cannot...)))
	m.say.tell(ui.Info, menuText(len(can), len(cannot)))
}

// openCopy lists what can be copied here.
func (m *menu) openCopy() {
	rows := slices.DeleteFunc(slices.Clone(m.env.Keys.InScope(keymap.Copy)), func(a keymap.Action) bool { return m.dispatch.whyNot(a) != "" })
	if len(rows) == 0 {
		m.say.tell(ui.Info, textNothingToCopy)
		return
	}
	m.boxes.show(overlay.NewMenu(m.env, "Copy", keymap.Copy, rows))
}

// rankInMenu puts what is done to the thing under the cursor before what changes the view, and what has a key before what has none.
func rankInMenu(a keymap.Action) int {
	rank := 2
	if slices.Contains(acts, a.Verb()) || slices.Contains([]string{"open", "copy", "select"}, a.Verb()) {
		rank = 0
	}
	if len(a.Keys) == 0 {
		rank++
	}
	return rank
}

// menuText counts what a menu lists.
func menuText(can, cannot int) string {
	out := ui.Count(can+cannot, "action")
	if cannot > 0 {
		out += fmt.Sprintf(", %d unavailable here", cannot)
	}
	return out
}

// key passes a key to the menu on top: one of its own, or that of an action, which it closes and runs.
func (m *menu) key(box *overlay.ActionMenu, own keymap.Action, known bool, key string) tea.Cmd {
	if !known {
		at, ok := box.Keyed(key)
		if !ok {
			return nil
		}
		return m.choose(box, at)
	}
	if own.ID == keymap.Accept {
		if at, ok := box.Chosen(); ok {
			return m.choose(box, at)
		}
		return nil
	}
	top, _ := m.boxes.Top()
	return m.answer(top, own.ID)
}

// choose runs a row of the menu, or says why it cannot run.
func (m *menu) choose(box *overlay.ActionMenu, row overlay.MenuRow) tea.Cmd {
	m.boxes.Close(box)
	if row.Why != "" {
		m.say.tell(ui.Info, row.Why)
		return nil
	}
	return m.dispatch.press(row.Action)
}
