package overlay

import (
	"slices"

	"memcurator/keymap"
	"memcurator/tui/kit"
)

// Actions is a choice of actions. Until the line that narrows it is open, a row is also run by the key of its action, which is the shell's
// business.
type Actions struct {
	*Choice
	actions []keymap.Action
}

// NewActions makes a list of actions with the cursor on its first row.
func NewActions(env *kit.Env, title string, actions []keymap.Action) *Actions {
	options := make([]Option, len(actions))
	for i, a := range actions {
		options[i] = Option{Name: a.KeyText(env.ASCII), Text: a.Help, names: []string{string(a.ID)}}
	}
	return &Actions{NewChoice(env, title, options, 0), actions}
}

// At is an action by its place among those that the list was made of.
func (l *Actions) At(row int) keymap.Action { return l.actions[row] }

// Keyed is the row whose action has a key; below 0: none.
func (l *Actions) Keyed(key string) int {
	return slices.IndexFunc(l.actions, func(a keymap.Action) bool { return slices.Contains(a.Keys, key) })
}

// Scopes implements [kit.Overlay].
func (l *Actions) Scopes() []keymap.Scope { return []keymap.Scope{keymap.ActionMenu, keymap.Motion} }

// Footer implements [kit.Overlay].
func (l *Actions) Footer() string {
	return l.env.Keyed("{menu/accept} or its key runs it")
}
