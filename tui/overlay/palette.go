package overlay

import (
	"slices"
	"strings"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// Palette is the choice of the named actions. It is the ":" prompt for those who do not know the
// names.
type Palette struct {
	*Choice
	actions []keymap.Action
}

// NewPalette offers every action that has a name, and the memory commands by their
// usage ("view PATH"): an action without an ID whose name begins the prompt.
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
	p.none = "no action matches"
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

// Size implements [kit.Overlay].
func (p *Palette) Size(maxW, maxH int) (int, int) { return min(maxW, 100), max(1, min(maxH, 16)) }

// Cursor implements [kit.Overlay]: it is in the line that is typed.
func (p *Palette) Cursor() (kit.Point, bool) { return kit.Point{}, false }

// Footer implements [kit.Overlay].
func (p *Palette) Footer() string {
	return p.env.Keyed("type to narrow, {input/accept} runs it, {input/cancel} closes")
}
