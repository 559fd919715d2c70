package tui

import (
	"fmt"
	"path"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

// acts are the verbs of what is done to the thing under the cursor; the menu lists them where they cannot run, too, with the reason.
var acts = []string{"approve", "browse", "compare", "create", "decline", "delete", "discard", "edit", "explain", "insert", "move", "pin",
	"replace", "restore", "revert", "trace", "travel", "unread"}

// anywhere are the verbs of what can be done on every screen and is about none of them: the help has them.
var anywhere = []string{"down", "first", "focus", "help", "last", "leave", "left", "list", "pick", "quit",
	"recall", "redraw", "right", "run",
	"scroll", "show", "suspend", "switch", "up", "zoom"}

// openMenu shows what can be done with what has the focus and, dimmed and last, what cannot be done now, with the reason.
func (m *Model) openMenu() {
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
			row := overlay.MenuRow{Action: a, Why: m.whyNot(a)}
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
			cannot = append(cannot, overlay.MenuRow{Action: a, Why: m.needs(a)})
		}
	}
	slices.SortStableFunc(can, func(a, b overlay.MenuRow) int { return rankInMenu(a.Action) - rankInMenu(b.Action) })
	title := "x"
	if at, ok := m.stage.screen().List().(interface{ Path() string }); ok && at.Path() != "" {
		title = "x: " + path.Base(text.Clean(at.Path()))
	} else if m.stage.shows(keymap.ScreenBrowse) {
		title = "x: " + path.Base(text.Clean(m.travel.Shown().PathAtCursor()))
	}
	m.boxes.show(overlay.NewActionMenu(m.env, title, append(can, cannot...)))
	m.say.tell(ui.Info, menuText(len(can), len(cannot)))
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
	out := "menu: " + ui.Count(can, "action")
	if cannot > 0 {
		out += fmt.Sprintf(", %d not possible here", cannot)
	}
	return out
}

// menuKey gives a key to the menu on top: one of its own, or that of an action, which it closes and runs.
func (m *Model) menuKey(menu *overlay.ActionMenu, own keymap.Action, known bool, key string) tea.Cmd {
	if !known {
		at, ok := menu.Keyed(key)
		if !ok {
			return nil
		}
		return m.chooseInMenu(menu, at)
	}
	if own.ID == keymap.Accept {
		if at, ok := menu.Chosen(); ok {
			return m.chooseInMenu(menu, at)
		}
		return nil
	}
	top, _ := m.boxes.Top()
	return m.answer(top, own.ID)
}

// chooseInMenu runs a row of the menu, or says why it cannot run.
func (m *Model) chooseInMenu(menu *overlay.ActionMenu, row overlay.MenuRow) tea.Cmd {
	m.boxes.Close(menu)
	if row.Why != "" {
		m.say.tell(ui.Info, row.Why)
		return nil
	}
	return m.press(row.Action)
}

// whyNot is the reason why an action in sight cannot run now, "" where nothing prevents it.
func (m *Model) whyNot(a keymap.Action) string {
	if a.NeedsWord() {
		return ""
	}
	for _, table := range m.inSight() {
		if table.Has(a.ID) {
			return table.WhyNot(a.ID)
		}
	}
	if slices.Contains(fromAnywhere, a.ID) {
		return ""
	}
	return m.needs(a)
}

// fromAnywhere are the actions of Browse that go there first.
var fromAnywhere = []keymap.ID{keymap.Follow, keymap.Listing}

// inSight are the tables of what the user sees.
func (m *Model) inSight() []*ui.Actions { return append(m.stage.tables(), m.actions) }

// needed describes what an action needs that is not here, and where that is.
var needed = []struct {
	verbs, needs string
}{
	{"travel", "needs a revision. {global/changes} lists them"},
	{"restore revert trace compare explain", "needs a version. {global/tab-next} opens the history"},
	{"decline pin raise", "needs a proposal. {global/curate} lists them"},
	{"approve", "needs changes or proposals. {global/changes} lists changes"},
	{"delete move edit copy discard unread create insert replace browse", "needs a file. {global/browse} shows them"},
	{"split ignore jump step more less", "needs a diff. {global/tab-next} opens it"},
	{"wrap scroll", "needs a text. {global/focus-next} goes to it"},
	{"find", "needs a search. {global/search} starts one"},
	{"switch", "needs tabs. {global/browse} has them"},
	{"flip go", "needs a transcript. {global/replay} lists them"},
	{"select extend", "needs rows to select. {global/browse} has them"},
	{"follow order hide filter refresh open", "needs a list. {global/browse} has one"},
}

// neededIn is that of the screens whose actions are about one kind of thing.
var neededIn = map[keymap.Scope]string{
	keymap.Findings:    "needs a secret. {global/findings} lists them",
	keymap.Curate:      "needs a proposal. {global/curate} lists them",
	keymap.Replay:      "needs a transcript. {global/replay} lists them",
	keymap.Transcripts: "needs a transcript. {global/replay} lists them",
	keymap.Trash:       "needs a deleted file. {global/trash} lists them",
}

// needs says what an action needs that is not here.
func (m *Model) needs(a keymap.Action) string {
	if where := neededIn[a.Scope]; where != "" {
		return m.env.Keyed(where)
	}
	for _, n := range needed {
		if slices.Contains(strings.Fields(n.verbs), a.Verb()) {
			return m.env.Keyed(n.needs)
		}
	}
	return "not here"
}

// absent says why an action does nothing here.
func (m *Model) absent(key string, a keymap.Action) {
	m.say.tell(ui.Info, key+" "+m.needs(a))
}

// explain says why a key does nothing here.
func (m *Model) explain(key string) {
	for _, a := range m.env.Keys.Actions() {
		if slices.Contains(a.Keys, key) && a.Scope.OnScreen() {
			m.absent(key, a)
			return
		}
	}
	m.say.tell(ui.Info, key+m.env.Keyed(" does nothing here. {global/menu} shows what does"))
}
