package blame

import (
	"fmt"
	"strings"
	"time"

	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/render/theme"
)

// Widths in cells from which on the columns for actor and command are shown.
const (
	actorFrom   = 40
	commandFrom = 64
)

// wrapUpTo bounds the bytes of a line that are wrapped; the rest of a longer one is cut.
const wrapUpTo = 64 << 10

// columns are what stands in front of a line, as wide as the widest needs it.
func (p *Pane) columns(line int) string {
	d := p.doc
	b := d.lines[line]
	number, actor, command, age := "-", "", "older", ""
	if r, ok := d.revs[b.Rev]; ok {
		number, actor, command, age = fmt.Sprintf("#%d", r.Rev), string(r.Actor), r.Command, Age(p.env.Now().Sub(r.Time))
		if b.Unsure {
			number += "?"
		}
		if r.Note == past.NoteUnseen {
			age = "<" + age // made at an unknown time before
		}
	} else if p.w < commandFrom {
		actor = command
	}
	out := text.Pad(number, p.numberWidth())
	if p.w >= actorFrom {
		out += " " + text.Pad(text.Truncate(text.Clean(actor), 8, ""), 8)
	}
	if p.w >= commandFrom {
		out += " " + text.Pad(text.Truncate(text.Clean(command), 11, ""), 11)
	}
	return out + " " + text.PadLeft(age, 4)
}

// numberWidth is the cells of the widest number of a revision.
func (p *Pane) numberWidth() int {
	most := int64(0)
	for rev := range p.doc.revs {
		most = max(most, rev)
	}
	return len(fmt.Sprint(most)) + 2
}

// leadWidth is the cells in front of the text: cursor, columns, the line between.
func (p *Pane) leadWidth() int {
	w := 1 + p.numberWidth() + 1 + 4 + 3
	if p.w >= actorFrom {
		w += 9
	}
	if p.w >= commandFrom {
		w += 12
	}
	return w
}

// textWidth is the cells for the text of a line.
func (p *Pane) textWidth() int { return max(1, p.w-p.leadWidth()) }

// height is the rows that a line takes.
func (p *Pane) height(line int) int {
	if !p.wrap {
		return 1
	}
	return min(max(1, p.h), len(p.parts(line)))
}

// parts are the rows of a line; of a cut one all of it.
func (p *Pane) parts(line int) []text.Row {
	b := p.doc.text(line)
	if !p.wrap {
		return []text.Row{{End: len(b)}}
	}
	if rows := text.Wrap(nil, b[:min(len(b), wrapUpTo)], p.textWidth(), p.env.Text(0)); len(rows) > 0 {
		return rows
	}
	return []text.Row{{}}
}

// Rows implements [ui.Pane].
func (p *Pane) Rows(focused bool) []string {
	out := make([]string, 0, p.h)
	switch {
	case p.doc == nil:
		out = p.notice(out, "reading the journal...")
	case p.doc.note != "":
		out = p.notice(out, p.doc.note)
	}
	for i := p.top; i < p.lines(); i++ {
		for k, part := range p.parts(i) {
			if len(out) >= p.h {
				break
			}
			shown := k == 0 && (i == p.top || p.doc.begins(i))
			out = append(out, p.row(i, part, shown, k == 0 && i == p.cursor, focused))
		}
	}
	for len(out) < p.h {
		out = append(out, strings.Repeat(" ", p.w))
	}
	return out[:p.h]
}

// notice shows a sentence of ours in the place of the lines.
func (p *Pane) notice(out []string, sentence string) []string {
	for _, r := range text.Wrap(nil, []byte(sentence), max(1, p.w-2), p.env.Text(0)) {
		out = append(out, p.env.Styles.Dim.Apply(text.Pad(text.Truncate(" "+sentence[r.Start:r.End], p.w, ""), p.w)))
	}
	return out[:min(len(out), p.h)]
}

// row draws a row of a line: cursor, columns or blank, text.
func (p *Pane) row(line int, part text.Row, columns, cursor, focused bool) string {
	st := p.env.Styles
	base := st.Text
	if cursor && focused {
		base = st.Selected
	}
	lead := " "
	if cursor {
		lead = st.Glyphs.Cursor
	}
	paint, head := st.Dim, strings.Repeat(" ", p.leadWidth()-4)
	if columns {
		head = p.columns(line)
		if r, ok := p.doc.revs[p.doc.lines[line].Rev]; ok {
			paint = st.Actor(string(r.Actor))
		}
	}
	head = text.Pad(text.Truncate(lead+head, p.w, ""), min(p.w, p.leadWidth()-3))
	bar := text.Truncate(" "+st.Glyphs.SplitVertical+" ", max(0, p.w-text.Width(head)), "")
	room := p.w - text.Width(head) - text.Width(bar)
	return base.With(paint).Apply(head) + base.With(st.Dim).Apply(bar) + p.content(line, part, room, base)
}

// content draws a part of a line into room cells, with the matches of the search; a cut line that
// goes on ends in a sign.
func (p *Pane) content(line int, part text.Row, room int, base theme.Paint) string {
	if room <= 0 {
		return ""
	}
	st, b := p.env.Styles, p.doc.text(line)
	c := cells{p: p, base: base, room: room, from: part.Col + p.col, at: part.Col}
	to, more := part.End, false
	if !p.wrap {
		if end := text.ByteAt(b, p.col+room, p.env.Text(0)); end < to {
			to, more = end, true
			c.room--
		}
	}
	done := part.Start
	for _, m := range p.marks(line) {
		start, end := max(done, m.start), min(to, m.end)
		if start >= end {
			continue
		}
		hit := st.Match
		if m.current {
			hit = st.MatchCurrent
		}
		c.part(b[done:start], base)
		c.part(b[start:end], hit)
		done = end
	}
	c.part(b[done:to], base)
	c.out.WriteString(base.Apply(strings.Repeat(" ", max(0, c.room))))
	if more {
		c.out.WriteString(base.With(st.Dim).Apply(st.Glyphs.More))
	}
	return c.out.String()
}

// cells draws the pieces of a row until there is no room.
type cells struct {
	p    *Pane
	out  strings.Builder
	base theme.Paint
	room int
	from int // first cell shown
	at   int // cell where the next piece begins
}

func (c *cells) part(b []byte, paint theme.Paint) {
	if c.room <= 0 || len(b) == 0 {
		return
	}
	st, o := c.p.env.Styles, c.p.env.Text(c.at)
	for _, s := range text.Window(b, max(0, c.from-c.at), c.room, o) {
		use := paint
		switch s.Kind {
		case text.Control, text.Invisible:
			use = paint.With(st.Control)
		case text.Invalid:
			use = paint.With(st.Invalid)
		}
		c.out.WriteString(use.Apply(s.Text))
		c.room -= s.Width
	}
	c.at += text.Column(b, len(b), o)
}

// Age is how long ago something was, in at most three cells: 40s, 5m, 3h, 12d, 9w, 2y.
func Age(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 100*day:
		return fmt.Sprintf("%dd", d/day)
	case d < 99*7*day:
		return fmt.Sprintf("%dw", d/(7*day))
	default:
		return fmt.Sprintf("%dy", d/(365*day))
	}
}
