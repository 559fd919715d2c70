package overlay

import (
	"slices"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// MenuRow is an action of an [ActionMenu]; Why is the reason why it cannot run, "" where it can.
type MenuRow struct {
	Action keymap.Action
	Why    string
}

// ActionMenu lists what can be done here. A row is run by enter or by the key of its action, which is the shell's business.
type ActionMenu struct {
	*Choice
	rows []MenuRow
}

// NewActionMenu makes a menu with the cursor on its first row.
func NewActionMenu(env *ui.Env, title string, rows []MenuRow) *ActionMenu {
	m := &ActionMenu{rows: rows}
	options := make([]Option, len(rows))
	for i, r := range rows {
		options[i] = Option{Name: keyText(env, r.Action), Text: r.Action.Help, dim: r.Why != ""}
		if r.Why != "" {
			options[i].Text = text.Pad(text.Truncate(r.Action.Help, helpBeforeReason, env.Styles.Glyphs.Ellipsis), helpBeforeReason) + "  " + r.Why
		}
		options[i].names = []string{r.Action.Name, string(r.Action.ID)}
	}
	m.Choice = NewChoice(env, title, options, 0)
	return m
}

// helpBeforeReason is how much of the help comes before the reason why an action cannot run, in cells.
const helpBeforeReason = 36

// keyText is the key of an action, or its prompt name.
func keyText(env *ui.Env, a keymap.Action) string {
	if len(a.Keys) == 0 {
		return ":" + a.Name
	}
	a.Keys = a.Keys[:1]
	return a.KeyText(env.ASCII)
}

// Chosen is the row under the cursor; false when nothing matches.
func (m *ActionMenu) Chosen() (MenuRow, bool) {
	i, ok := m.Choice.Chosen()
	if !ok {
		return MenuRow{}, false
	}
	return m.rows[i], true
}

// Keyed is the row whose action has a key.
func (m *ActionMenu) Keyed(key string) (MenuRow, bool) {
	i := slices.IndexFunc(m.rows, func(r MenuRow) bool { return slices.Contains(r.Action.Keys, key) })
	if i < 0 {
		return MenuRow{}, false
	}
	return m.rows[i], true
}

// Scopes implements [ui.Overlay].
func (m *ActionMenu) Scopes() []keymap.Scope { return []keymap.Scope{keymap.ActionMenu, keymap.Motion} }

// Footer implements [ui.Overlay].
func (m *ActionMenu) Footer() string {
	return m.env.Keyed("{menu/accept} or its key runs it   {menu/overlay-filter} finds   {menu/close} closes")
}
