package overlay

import (
	"memcurator/keymap"
	"memcurator/memstore/search/fuzzy"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// Option is a row of a [Choice].
type Option struct {
	Name, Text string
	names      []string // that a pattern is looked for in beside the text; nil: Name
}

// Choice is a list to choose one row of; typing narrows it. What the choice means is the root's business.
type Choice struct {
	env     *kit.Env
	title   string
	options []Option
	shown   []int // of options
	names   int   // cells of the longest name
	list    kit.List
}

// NewChoice begins with the cursor on a row; below 0: on the first.
func NewChoice(env *kit.Env, title string, options []Option, at int) *Choice {
	c := &Choice{env: env, title: title, options: options}
	for _, o := range options {
		c.names = max(c.names, text.Width(o.Name))
	}
	c.SetFilter("")
	c.list.MoveTo(at)
	return c
}

// SetFilter keeps the rows that fit a pattern, the best first.
func (c *Choice) SetFilter(pattern string) {
	c.shown = fuzzy.Parse(pattern).Best(len(c.options), func(i int) fuzzy.Entry {
		o := c.options[i]
		if o.names == nil {
			o.names = []string{o.Name}
		}
		return fuzzy.Entry{Names: o.names, Text: o.Text}
	})
	c.list.SetCount(len(c.shown))
	c.list.MoveTo(0)
}

// Chosen is the row under the cursor, a place in the options; false when nothing matches.
func (c *Choice) Chosen() (int, bool) {
	i, ok := c.list.At()
	if !ok {
		return 0, false
	}
	return c.shown[i], true
}

// Title implements [kit.Overlay].
func (c *Choice) Title() string { return c.title }

// Scopes implements [kit.Overlay]: the keys go to the line that is being typed.
func (c *Choice) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Input} }

// Handle implements [kit.Overlay].
func (c *Choice) Handle(id keymap.ID) bool {
	switch id {
	case keymap.HistoryNewer:
		id = keymap.Down
	case keymap.HistoryOlder:
		id = keymap.Up
	}
	return c.list.Motion(id)
}

// Size implements [kit.Overlay].
func (c *Choice) Size(maxW, maxH int) (int, int) {
	return min(maxW, 100), max(1, min(maxH, len(c.options), 20))
}

// Extent implements [kit.Scrolled].
func (c *Choice) Extent() (first, shown, all int) { return c.list.Top(), c.list.Height(), len(c.shown) }

// Footer implements [kit.Overlay].
func (c *Choice) Footer() string {
	return c.env.Keyed("type to narrow, {input/accept} chooses, {input/cancel} closes")
}

const TextChoiceNone = "nothing matches"

// Rows implements [kit.Overlay].
func (c *Choice) Rows(w, h int) []string {
	st := c.env.Styles
	c.list.Resize(h)
	at, _ := c.list.At()
	out := make([]string, 0, h)
	for i := c.list.Top(); i < len(c.shown) && len(out) < h; i++ {
		o := c.options[c.shown[i]]
		line := o.Text
		if c.names > 0 {
			line = text.Pad(o.Name, c.names) + "  " + line
		}
		line = text.Truncate(line, max(0, w-2), st.Glyphs.Ellipsis)
		if i == at {
			out = append(out, st.Selected.Apply(text.Pad(text.Truncate(st.Glyphs.Cursor+" "+line, w, ""), w)))
		} else {
			out = append(out, text.Pad(text.Truncate("  "+line, w, ""), w))
		}
	}
	if len(c.shown) == 0 && h > 0 {
		out = append(out, st.Dim.Apply(text.Pad(text.Truncate(" "+TextChoiceNone, w, st.Glyphs.Ellipsis), w)))
	}
	return kit.FillRows(out, w, h)
}

// Cursor is where the terminal's own cursor belongs while nothing is typed.
func (c *Choice) Cursor() (kit.Point, bool) {
	i, ok := c.list.At()
	return kit.Point{Y: max(0, i-c.list.Top())}, ok
}
