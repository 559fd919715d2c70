package browse

import (
	"fmt"
	"strings"
	"time"

	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// Widths in cells from which on the columns for actor and command are shown.
const (
	actorFrom   = 40
	commandFrom = 64
)

// wrapUpTo bounds the bytes of a line that are wrapped; the rest of a longer one is cut.
const wrapUpTo = 64 << 10

// columns are what comes before a line, as wide as the widest needs it.
func (p *BlamePane) columns(line int) string {
	d := p.doc
	b := d.lines[line]
	number, actor, command, age := "-", "", older, ""
	if r, ok := d.revs[b.Rev]; ok {
		number, actor, command, age = fmt.Sprintf("#%d", r.Rev), string(r.Actor), r.Command, ageText(p.env.Now().Sub(r.Time))
		if b.Unsure {
			number += "?"
		}
		if r.Note == past.NoteUnseen {
			age += "+" // made at an unknown time before
		}
	} else if p.w < commandFrom {
		actor = command
	}
	out := text.Pad(number, p.numberWidth())
	if p.w >= actorFrom {
		out += " " + text.Pad(text.Truncate(text.Clean(actor), d.actorWidth, ""), d.actorWidth)
	}
	if p.w >= commandFrom {
		out += " " + text.Pad(text.Truncate(text.Clean(command), d.commandWidth, ""), d.commandWidth)
	}
	return out + " " + text.PadLeft(age, 4)
}

// numberWidth is the cells of the widest number of a revision.
func (p *BlamePane) numberWidth() int {
	most := int64(0)
	for rev := range p.doc.revs {
		most = max(most, rev)
	}
	return len(fmt.Sprint(most)) + 2
}

// leadWidth is the cells in front of the text: cursor, columns, the line between.
func (p *BlamePane) leadWidth() int {
	w := 1 + p.numberWidth() + 1 + 4 + 3
	if p.w >= actorFrom {
		w += 1 + p.doc.actorWidth
	}
	if p.w >= commandFrom {
		w += 1 + p.doc.commandWidth
	}
	return w
}

// textWidth is the cells for the text of a line.
func (p *BlamePane) textWidth() int { return max(1, p.w-p.leadWidth()) }

// height is the rows that a line takes.
func (p *BlamePane) height(line int) int {
	if !p.wrap {
		return 1
	}
	return len(p.parts(line))
}

// parts are the rows of a line; of a cut one all of it.
func (p *BlamePane) parts(line int) []text.Row {
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
func (p *BlamePane) Rows(focused bool) []string {
	out := make([]string, 0, p.h)
	switch {
	case p.doc == nil:
		out = ui.Notice(p.env, "reading the journal...", p.w)
	case p.doc.note != "":
		out = ui.Notice(p.env, p.doc.note, p.w)
	}
	skip := p.view.Top.Row
	for i := p.view.Top.Line; i < p.lines() && len(out) < p.h; i++ {
		parts := p.parts(i)
		for k := min(skip, len(parts)); k < len(parts) && len(out) < p.h; k++ {
			shown := k == 0 && (i == p.view.Top.Line || p.doc.begins(i))
			out = append(out, p.row(i, parts[k], shown, k == 0 && i == p.cursor(), focused))
		}
		skip = 0
	}
	return ui.FillRows(out, p.w, p.h)
}

// row draws a row of a line: cursor, columns or blank, text.
func (p *BlamePane) row(line int, part text.Row, columns, cursor, focused bool) string {
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
// continues ends in a sign.
func (p *BlamePane) content(line int, part text.Row, room int, base theme.Paint) string {
	if room <= 0 {
		return ""
	}
	st, b := p.env.Styles, p.doc.text(line)
	c := ui.Cells{Env: p.env, Line: b, Room: room, First: part.Col + p.col, At: part.Col}
	to, more := part.End, ""
	if !p.wrap {
		if end := text.ByteAt(b, p.col+room, p.env.Text(0)); end < to {
			to, more = end, base.With(st.Dim).Apply(st.Glyphs.More)
			c.Room--
		}
	}
	done := part.Start
	matches, current := p.search.On(line, 0)
	for i, m := range matches {
		start, end := max(done, m.Start), min(to, m.End)
		if start >= end {
			continue
		}
		paint := st.Match
		if i == current {
			paint = st.MatchCurrent
		}
		c.Add(done, start, base)
		c.Add(start, end, paint)
		done = end
	}
	c.Add(done, to, base)
	return c.String(base) + more
}

// ageText is how long ago something was, in at most three cells: 40s, 5m, 3h, 12d, 9w, 2y.
func ageText(d time.Duration) string {
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
