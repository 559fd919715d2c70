package overlay

import (
	"strings"

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
	top     int // the first row in sight
	last    int // and the last
	cursor  int // the line of the one under the cursor
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
	w, lines := min(maxW, 100), 0
	for i := range c.options {
		lines += len(c.lines(i, w))
	}
	return w, max(1, min(maxH, lines, 20))
}

// lines are those of an option in w cells: its text is wrapped beside its name.
func (c *Choice) lines(option, w int) (lines []string) {
	o, indent := c.options[option], 0
	if c.names > 0 {
		indent = c.names + 2
	}
	name := o.Name
	for _, part := range text.Wrap(nil, []byte(o.Text), max(1, w-2-indent), c.env.Text(0)) {
		lines = append(lines, text.Pad(name, indent)+strings.TrimLeft(o.Text[part.Start:part.End], " "))
		name = ""
	}
	return lines
}

// Extent implements [kit.Scrolled].
func (c *Choice) Extent() (first, shown, all int) { return c.top, c.last - c.top + 1, len(c.shown) }

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
	for c.top, c.cursor = at, 0; c.top > c.list.Top(); c.top-- { // as far up as the row under the cursor stays in sight
		above := len(c.lines(c.shown[c.top-1], w))
		if c.cursor+above+len(c.lines(c.shown[at], w)) > h {
			break
		}
		c.cursor += above
	}
	out := make([]string, 0, h)
	for i := c.top; i < len(c.shown) && len(out) < h; i++ {
		lead, paint := "  ", st.Text
		if c.last = i; i == at {
			lead, paint = st.Glyphs.Cursor+" ", st.Selected
		}
		for _, line := range c.lines(c.shown[i], w) {
			out = append(out, paint.Apply(text.Pad(text.Truncate(lead+line, w, ""), w)))
			lead = "  "
		}
	}
	if len(c.shown) == 0 && h > 0 {
		out = append(out, st.Dim.Apply(text.Pad(text.Truncate(" "+TextChoiceNone, w, st.Glyphs.Ellipsis), w)))
	}
	return kit.FillRows(out, w, h)
}

// Cursor is where the terminal's own cursor belongs while nothing is typed.
func (c *Choice) Cursor() (kit.Point, bool) {
	_, ok := c.list.At()
	return kit.Point{Y: c.cursor}, ok
}
