package overlay

import (
	"strings"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Palette lists the named actions; typing narrows the list, enter performs the one
// under the cursor. It is the ":" prompt for those who do not know the names.
type Palette struct {
	env     *ui.Env
	all     []keymap.Action
	shown   []keymap.Action
	cursor  int
	top     int
	pattern string
}

// NewPalette offers every action that has a name, and the memory commands by their
// usage ("view PATH"): an action without an ID whose name begins the prompt.
func NewPalette(env *ui.Env, commands []string) *Palette {
	p := &Palette{env: env}
	for _, usage := range commands {
		name, _, _ := strings.Cut(usage, " ")
		p.all = append(p.all, keymap.Action{Name: name, Help: usage})
	}
	for _, a := range env.Keys.Actions() {
		if a.Name != "" {
			p.all = append(p.all, a)
		}
	}
	p.shown = p.all
	return p
}

// SetFilter keeps the actions whose name or help contains every word of pattern.
func (p *Palette) SetFilter(pattern string) {
	p.pattern, p.cursor, p.top = pattern, 0, 0
	words := strings.Fields(strings.ToLower(pattern))
	p.shown = nil
	for _, a := range p.all {
		line := strings.ToLower(a.Name + " " + a.Help)
		matches := true
		for _, w := range words {
			matches = matches && strings.Contains(line, w)
		}
		if matches {
			p.shown = append(p.shown, a)
		}
	}
}

// Chosen is the action under the cursor; false when nothing matches.
func (p *Palette) Chosen() (keymap.Action, bool) {
	if p.cursor >= len(p.shown) {
		return keymap.Action{}, false
	}
	return p.shown[p.cursor], true
}

// Move moves the cursor.
func (p *Palette) Move(by int) {
	p.cursor = max(0, min(p.cursor+by, len(p.shown)-1))
}

// Title implements [ui.Overlay].
func (p *Palette) Title() string { return "Actions" }

// Scopes implements [ui.Overlay]: the keys go to the line that is being typed.
func (p *Palette) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Input} }

// Handle implements [ui.Overlay].
func (p *Palette) Handle(id keymap.ID) bool {
	switch id {
	case keymap.Down, keymap.HistoryNewer:
		p.Move(1)
	case keymap.Up, keymap.HistoryOlder:
		p.Move(-1)
	default:
		return false
	}
	return true
}

// Size implements [ui.Overlay].
func (p *Palette) Size(maxW, maxH int) (int, int) { return min(maxW, 100), max(1, min(maxH, 16)) }

// Cursor implements [ui.Overlay]: it is in the line that is typed.
func (p *Palette) Cursor() (ui.Point, bool) { return ui.Point{}, false }

// Footer implements [ui.Overlay].
func (p *Palette) Footer() string {
	return p.env.Keyed("type to narrow, {input/accept} does it, {input/cancel} closes")
}

// Rows implements [ui.Overlay].
func (p *Palette) Rows(w, h int) []string {
	st := p.env.Styles
	p.top = max(p.cursor-h+1, min(p.top, p.cursor))
	out := make([]string, 0, h)
	for i := p.top; i < len(p.shown) && len(out) < h; i++ {
		a := p.shown[i]
		line := " " + text.Pad(a.Name, 15) + " " + text.Pad(a.KeyText(p.env.ASCII), 8) + " " + a.Help
		line = text.Truncate(line, max(0, w-1), st.Glyphs.Ellipsis)
		if i == p.cursor {
			out = append(out, st.Selected.Apply(text.Pad(st.Glyphs.Cursor+line, w)))
		} else {
			out = append(out, text.Pad(" "+line, w))
		}
	}
	if len(p.shown) == 0 {
		out = append(out, st.Dim.Apply(text.Pad(" "+"no action matches", w)))
	}
	for len(out) < h {
		out = append(out, strings.Repeat(" ", w))
	}
	return out
}
