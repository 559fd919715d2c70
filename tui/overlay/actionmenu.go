package overlay

import (
	"slices"

	"memcurator/keymap"
	"memcurator/tui/kit"
)

// ActionMenu lists what can be done here. A row is run by enter or by the key of its action, which is the shell's business.
type ActionMenu struct {
	*Choice
	actions []keymap.Action
}

// NewActionMenu makes a menu with the cursor on its first row.
func NewActionMenu(env *kit.Env, title string, actions []keymap.Action) *ActionMenu {
	m := &ActionMenu{actions: actions}
	options := make([]Option, len(actions))
	for i, a := range actions {
		options[i] = Option{Name: keyText(env, a), Text: a.Help, names: []string{a.Name, string(a.ID)}}
	}
	m.Choice = NewChoice(env, title, options, 0)
	return m
}

// keyText is the key of an action, or its prompt name.
func keyText(env *kit.Env, a keymap.Action) string {
	if len(a.Keys) == 0 {
		return ":" + a.Name
	}
	a.Keys = a.Keys[:1]
	return a.KeyText(env.ASCII)
}

// Chosen is the row under the cursor; false when nothing matches.
func (m *ActionMenu) Chosen() (keymap.Action, bool) {
	i, ok := m.Choice.Chosen()
	if !ok {
		return keymap.Action{}, false
	}
	return m.actions[i], true
}

// Keyed is the row whose action has a key.
func (m *ActionMenu) Keyed(key string) (keymap.Action, bool) {
	i := slices.IndexFunc(m.actions, func(a keymap.Action) bool { return slices.Contains(a.Keys, key) })
	if i < 0 {
		return keymap.Action{}, false
	}
	return m.actions[i], true
}

// Scopes implements [kit.Overlay].
func (m *ActionMenu) Scopes() []keymap.Scope { return []keymap.Scope{keymap.ActionMenu, keymap.Motion} }

// Footer implements [kit.Overlay].
func (m *ActionMenu) Footer() string {
	return m.env.Keyed("{menu/accept} or its key runs it   {menu/overlay-filter} finds   {menu/close} closes")
}
