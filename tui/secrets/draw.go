package secrets

import (
	"fmt"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub/rule"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// Rows implements [ui.Pane].
func (v *valueList) Rows(focused bool) []string {
	st := v.env.Styles
	v.list.Resize(max(0, v.h-v.headRows()))
	var head []string
	if v.headRows() > 0 {
		head = append(head, st.Warning.Apply(v.fit("  "+v.notices.unread())))
	}
	columns := v.columns()
	empty := func() []string { return ui.Notice(v.env, v.notices.empty(), v.w) }
	return v.list.Draw(head, v.w, v.h, empty, func(i int) string { return v.row(i, columns, focused) })
}

// headRows is how many rows are above the values: what was not read.
func (v *valueList) headRows() int {
	if v.h > 1 && v.notices.unread() != "" {
		return 1
	}
	return 0
}

// fit makes a line exactly as wide as the pane.
func (v *valueList) fit(s string) string {
	return text.Pad(text.Truncate(s, v.w, v.env.Styles.Glyphs.Ellipsis), v.w)
}

// Widths from which rows have the replacement, the severity, and words for the counts.
const (
	replacementWidth = 72
	severityWidth    = 60
	wordsWidth       = 100
)

// columns are the columns of values: how wide they are, 0 where one does not fit, and what is in them.
type columns struct {
	env                                  *ui.Env
	choices                              *choices
	selected                             *selection
	severity, class, masked, replacement int
	words                                bool // there is room for words about the places
}

// columns fits the columns to the rows on the screen.
func (v *valueList) columns() columns {
	c := columns{env: v.env, choices: v.choices, selected: &v.selected, words: v.w >= wordsWidth}
	places := 0
	for i := v.list.Top(); i < len(v.rows) && i < v.list.Top()+v.h; i++ {
		g := v.rows[i].group
		if g == nil || v.rows[i].place > 0 {
			continue
		}
		c.class = max(c.class, text.Width(c.choices.cell(g)))
		c.masked = max(c.masked, text.Width(c.choices.masked(g)))
		c.replacement = max(c.replacement, text.Width(c.choices.replacement(g)))
		places = max(places, text.Width(c.places(g)))
	}
	c.class, c.masked, c.replacement = min(c.class, max(12, v.w/4)), min(c.masked, max(8, v.w/5)), min(c.replacement, max(12, v.w/4))
	if v.w >= severityWidth {
		c.severity = len("critical")
	}
	if v.w < replacementWidth {
		c.replacement = 0
	}
	// The replacement is cut first: it says least.
	before := valueIndent + c.severity + c.class + c.masked + 8 + text.Width(v.env.Styles.Glyphs.Arrow)
	c.replacement = max(0, min(c.replacement, v.w-before-places-1))
	return c
}

// row draws a row of the list.
func (v *valueList) row(i int, c columns, focused bool) string {
	at, _ := v.list.At()
	cursor := " "
	if i == at {
		cursor = v.env.Styles.Glyphs.Cursor
	}
	r, line := v.rows[i], ""
	switch {
	case r.group == nil:
		line = cursor + "   " + v.env.Keyed(fmt.Sprintf("%d dismissed  ({findings/show-hidden} shows them)", r.place))
	case r.place > 0:
		line = cursor + strings.Repeat(" ", placeIndent-1) + placeLine(r.group, r.place)
	default:
		line = cursor + " " + v.valueRow(r.group, c)
	}
	return v.paint(r, i, at, focused).Apply(v.fit(line))
}

// valueIndent is where the columns of a value begin, in cells.
const valueIndent = 8

// placeIndent is where the place of a value begins, in cells.
const placeIndent = 10

// valueRow is the row of a value.
func (v *valueList) valueRow(g *findings.Group, c columns) string {
	st := v.env.Styles
	fold := st.Glyphs.Collapsed
	if v.unfolded[g.ID] {
		fold = st.Glyphs.Expanded
	}
	line := fold + " [" + c.mark(g) + "] "
	if v.revealed && v.inline && g == v.group() {
		return line + text.Clean(g.Value())
	}
	return line + c.draw(g)
}

// draw is how bad a value is, its class, itself masked, what replaces it, how often it was found.
func (c *columns) draw(g *findings.Group) (line string) {
	st := c.env.Styles
	column := func(s string, w int) {
		if w > 0 {
			line += text.Pad(text.Truncate(s, w, st.Glyphs.Ellipsis), w) + "  "
		}
	}
	column(g.Severity.String(), c.severity)
	column(c.choices.cell(g), c.class)
	column(c.choices.masked(g), c.masked)
	if g.Dismissed {
		return line + dismissedText(g.Dismissals)
	}
	if c.replacement > 0 {
		column(st.Glyphs.Arrow+" "+c.choices.replacement(g), c.replacement+text.Width(st.Glyphs.Arrow)+1)
	}
	return line + c.places(g)
}

// dismissedText is the scope of the dismissals of a value.
func dismissedText(list []findings.Dismissal) string {
	if len(list) == 0 {
		return "dismissed"
	}
	d := list[0]
	switch {
	case d.Path != "":
		return "dismissed in " + ui.CountGrouped(len(list), "file")
	case !d.Until.IsZero():
		return "kept until " + d.Until.Local().Format("2 Jan 2006")
	}
	return "dismissed " + d.At.Local().Format("2 Jan 2006")
}

// mark is the state of a value, in one cell.
func (c *columns) mark(g *findings.Group) string {
	switch {
	case g.Dismissed:
		return "-"
	case c.selected.has(g):
		return "x"
	}
	return " "
}

// places is how often a value was found, in words where there is room.
func (c *columns) places(g *findings.Group) string {
	past := g.History()
	switch {
	case !c.words && past == 0:
		return ui.Number(g.Live)
	case !c.words:
		return ui.Number(g.Live) + " now, " + ui.Number(past) + " past"
	case past == 0:
		return ui.CountGrouped(g.Live, "place")
	case g.Live == 0:
		return ui.Number(past) + " in history"
	}
	return ui.CountGrouped(g.Live, "place") + ", " + ui.Number(past) + " in history"
}

// placeLine is the row of a place.
func placeLine(g *findings.Group, n int) string {
	p := placeOf(g, n)
	line := placeName(&p)
	switch {
	case p.Past && p.Rev > 0:
		line += fmt.Sprintf("  in history since #%d", p.Rev)
	case p.Past:
		line += "  in history from before the first revision"
	}
	if n > len(g.Places) {
		line += "  dismissed in this file"
	}
	return line
}

// relative is an agent path below the root of the store.
func relative(path string) string { return text.Clean(strings.TrimPrefix(path, memstore.Root+"/")) }

// placeName is where a place is: path and line, or that it is in the name.
func placeName(p *findings.Place) string {
	if p.InName {
		return relative(p.Path) + " (in the name)"
	}
	return fmt.Sprintf("%s:%d", relative(p.Path), p.Line)
}

// paint is the paint of a row.
func (v *valueList) paint(r row, i, at int, focused bool) theme.Paint {
	st, here := v.env.Styles, i == at
	switch {
	case here && focused:
		return st.Selected
	case here:
		return st.SelectedBlur
	case r.group == nil, r.place > 0:
		return st.Dim
	case r.group.Dismissed:
		return st.Hidden
	case v.selected.has(r.group), v.selected.ranged(i, at):
		return st.Marked
	case r.group.Severity >= rule.Critical:
		return st.Error
	case r.group.Severity >= rule.High:
		return st.Warning
	}
	return st.Text
}

// summary is a value in one line of another list.
func (c *choices) summary(g *findings.Group) string {
	class := text.Pad(text.Truncate(c.cell(g), 22, c.env.Styles.Glyphs.Ellipsis), 22)
	return text.Pad(g.Severity.String(), 8) + "  " + class + "  " + text.Pad(c.masked(g), 16) + "  " + placeName(&g.Places[0])
}
