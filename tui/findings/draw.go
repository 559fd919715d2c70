package findings

import (
	"fmt"
	"strings"

	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/pane"
)

// Rows implements overlay.Overlay: the sum, the values, a rule, and the places of the value under the cursor.
func (b *Box) Rows(w, h int) []string {
	st := b.env.Styles
	if b.survey == nil || len(b.groups) == 0 {
		return b.empty(w, h)
	}
	detail := 0
	if h >= 8 {
		detail = max(4, h/3)
	}
	b.list.Resize(max(0, h-1-detail))
	out := make([]string, 0, h)
	live, past := b.survey.Count()
	out = append(out, st.Dim.Apply(b.fit(pane.FindingsSum(b.open(), live, past, len(b.Accepted())), w)))
	for i := b.list.Top(); i < len(b.groups) && len(out) < h-detail; i++ {
		out = append(out, b.row(i, w))
	}
	for len(out) < h-detail {
		out = append(out, strings.Repeat(" ", w))
	}
	if detail > 0 {
		out = append(out, b.detail(w, detail)...)
	}
	return out[:h]
}

func (b *Box) empty(w, h int) []string {
	sentence := pane.TextFindingsReading
	if b.survey != nil {
		sentence = pane.TextFindingsNone
	}
	out := make([]string, 0, h)
	for len(out) < h {
		line := ""
		if len(out) == 0 {
			line = " " + sentence
		}
		out = append(out, b.env.Styles.Dim.Apply(b.fit(line, w)))
	}
	return out
}

// fit makes a line exactly as wide as asked for.
func (b *Box) fit(s string, w int) string {
	return text.Pad(text.Truncate(s, w, b.env.Styles.Glyphs.Ellipsis), w)
}

// The narrowest boxes that have room for a column.
const (
	placesWidth   = 44
	severityWidth = 60
)

// row is one value: whether it is accepted, how bad it is, its class, itself masked, how often it was found, and where first.
func (b *Box) row(i, w int) string {
	st := b.env.Styles
	g := b.groups[i]
	at, _ := b.list.At()
	cursor, tick := " ", "[ ]"
	if i == at {
		cursor = st.Glyphs.Cursor
	}
	switch {
	case g.Allowed:
		tick = "[-]"
	case b.accepted[g.ID]:
		tick = "[" + st.Glyphs.Mark + "]"
	}
	line := cursor + tick + " "
	if w >= severityWidth {
		line += text.Pad(g.Severity.String(), 9)
	}
	class := b.Class(g)
	if class != g.Class {
		class = st.Glyphs.Arrow + class
	}
	line += text.Pad(text.Truncate(class, 18, st.Glyphs.Ellipsis), 19)
	line += text.Pad(b.masked(g), 9)
	if w >= placesWidth {
		line += padLeft(pane.FindingPlaces(g.Live, len(g.Places)-g.Live), 7) + "  "
		line += text.TruncateLeft(text.Clean(g.Places[0].Path), max(0, w-text.Width(line)), st.Glyphs.Ellipsis)
	}
	return b.paint(g, i == at).Apply(b.fit(line, w))
}

func padLeft(s string, w int) string {
	if n := w - text.Width(s); n > 0 {
		return strings.Repeat(" ", n) + s
	}
	return s
}

// masked is the value with dots, in ASCII where the terminal has nothing else.
func (b *Box) masked(g *findings.Group) string { return b.dotted(text.Clean(g.Masked())) }

func (b *Box) dotted(s string) string {
	if b.env.ASCII {
		return strings.ReplaceAll(s, "•", "*")
	}
	return s
}

func (b *Box) paint(g *findings.Group, here bool) theme.Paint {
	st := b.env.Styles
	switch {
	case here:
		return st.Selected
	case g.Allowed:
		return st.Hidden
	case b.accepted[g.ID]:
		return st.Marked
	case g.Severity >= scrub.Critical:
		return st.Error
	case g.Severity >= scrub.High:
		return st.Warning
	}
	return st.Text
}

// detail are the places of the value under the cursor, the one that keys act on first, with its line.
func (b *Box) detail(w, h int) []string {
	st := b.env.Styles
	g := b.selected()
	rule := strings.Repeat(st.Glyphs.Border.Top, w)
	out := []string{st.Border.Apply(b.fit(rule, w))}
	p := g.Places[b.place]
	head := fmt.Sprintf(" %d/%d  %s", b.place+1, len(g.Places), pane.FindingPlace(text.Clean(p.Path), p.Line, p.Column, p.InName, p.Past, p.Rev))
	out = append(out, st.Path.Apply(b.fit(head, w)), b.context(g, p, w))
	for n := 1; n < len(g.Places) && len(out) < h; n++ {
		q := g.Places[(b.place+n)%len(g.Places)]
		line := "      " + pane.FindingPlace(text.Clean(q.Path), q.Line, q.Column, q.InName, q.Past, q.Rev)
		out = append(out, st.Dim.Apply(b.fit(line, w)))
	}
	for len(out) < h {
		out = append(out, strings.Repeat(" ", w))
	}
	return out[:h]
}

// context is the line of a place, with the value masked until it is asked for.
func (b *Box) context(g *findings.Group, p findings.Place, w int) string {
	st := b.env.Styles
	value := b.masked(g)
	if b.revealed {
		value = text.Clean(g.Value())
	}
	before, after := b.dotted(text.Clean(p.Before)), b.dotted(text.Clean(p.After))
	room := w - 6
	if room < 1 {
		return b.fit("", w)
	}
	value = text.Truncate(value, room, st.Glyphs.Ellipsis)
	before = text.TruncateLeft(before, max(0, min(text.Width(before), max(room/2, room-text.Width(value)-text.Width(after)), room-text.Width(value))), st.Glyphs.Ellipsis)
	after = text.Truncate(after, max(0, room-text.Width(before)-text.Width(value)), st.Glyphs.Ellipsis)
	used := 6 + text.Width(before) + text.Width(value) + text.Width(after)
	return st.Text.Apply("      "+before) + st.Match.Apply(value) + st.Text.Apply(after+strings.Repeat(" ", max(0, w-used)))
}
