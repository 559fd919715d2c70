package overlay

import (
	"slices"
	"strings"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// Palette is the choice of the named actions. It is the ":" prompt for those who do not know the names.
type Palette struct {
	*Choice
	actions []keymap.Action
}

// NewPalette offers every action that has a name, and the memory commands by their usage ("view PATH"): an action without an ID whose
// name begins the prompt.
func NewPalette(env *kit.Env, scopes []keymap.Scope, commands []string) *Palette {
	p := &Palette{}
	for _, usage := range commands {
		name, _, _ := strings.Cut(usage, " ")
		p.actions = append(p.actions, keymap.Action{Name: name, Help: usage})
	}
	at := map[keymap.ID]int{}
	for _, a := range env.Keys.Actions() {
		i, listed := at[a.ID]
		switch {
		case a.Name == "":
		case !listed:
			at[a.ID] = len(p.actions)
			p.actions = append(p.actions, a)
		case slices.Contains(scopes, a.Scope) && !slices.Contains(scopes, p.actions[i].Scope):
			p.actions[i] = a
		}
	}
	options := make([]Option, len(p.actions))
	for i, a := range p.actions {
		name, keys := text.Pad(a.Name, 15), text.Pad(a.KeyText(env.ASCII), 8)
		options[i] = Option{Text: name + " " + keys + " " + a.Help, names: []string{a.Name}}
	}
	p.Choice = NewChoice(env, "Actions", options, 0)
	return p
}

// Chosen is the action under the cursor; false when nothing matches.
func (p *Palette) Chosen() (keymap.Action, bool) {
	i, ok := p.Choice.Chosen()
	if !ok {
		return keymap.Action{}, false
	}
	return p.actions[i], true
}

// ActionMenu lists what can be done here. A row is run by enter or by the key of its action, which is the shell's business.
type ActionMenu struct{ *Palette }

// NewActionMenu makes a menu with the cursor on its first row.
func NewActionMenu(env *kit.Env, title string, actions []keymap.Action) *ActionMenu {
	options := make([]Option, len(actions))
	for i, a := range actions {
		key := ":" + a.Name
		if len(a.Keys) > 0 {
			a.Keys = a.Keys[:1]
			key = a.KeyText(env.ASCII)
		}
		options[i] = Option{Name: key, Text: a.Help, names: []string{a.Name, string(a.ID)}}
	}
	return &ActionMenu{&Palette{NewChoice(env, title, options, 0), actions}}
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
