package diffpane

import (
	"fmt"
	"strconv"

	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// place is what a line on the screen is of: a side of a row.
type place struct {
	line diff.Line
	side int
}

// sheet is the form for the wish of the user and the width; nil: none.
func (p *Pane) sheet() *diff.View {
	if p.split && p.Width() >= sidesFrom {
		return p.result.split
	}
	return p.result.unified
}

// lay shows the result, or why there are no lines.
func (p *Pane) lay() {
	c := p.result
	c.shown = p.sheet()
	var notes []kit.Line
	for _, note := range c.notes {
		notes = append(notes, kit.Line{
			Text: []byte(text.Clean(note)), Own: true, Look: func(st *theme.Styles) theme.Paint { return st.Warning },
		})
	}
	doc := kit.Lines(notes)
	if s := c.shown; s != nil {
		doc = &kit.Doc{Len: s.Len(), Line: func(i int) kit.Line { return p.line(c, s, i) }}
	}
	doc.Of, doc.Above = c, p.title
	p.Set(c.of.Key, doc)
}

// line is a row as the screen has it.
func (p *Pane) line(c *compared, s *diff.View, at int) kit.Line {
	l := s.At(at)
	if l.Kind == diff.HunkHeader {
		header := string(l.Sides[0].Text)
		all := len(c.sides.RevertedHunks) > 0 // of the hunks that share the header
		for i := at + 1; all && i < s.Len() && s.At(i).Kind != diff.HunkHeader; i++ {
			all = !s.At(i).Changed() || p.reverted(s.At(i))
		}
		if all {
			header += "  reverted"
		}
		return kit.Line{
			Text: []byte(header), Own: true, Of: place{line: l}, Look: func(st *theme.Styles) theme.Paint { return st.Hunk },
		}
	}
	first := p.half(l, 0)
	if s.Sides == 2 {
		second := p.half(l, 1)
		first.Own = first.Own || l.Kind == diff.Context // the same line is found once
		first.Right = &second
	}
	return first
}

// half is a side of a row.
func (p *Pane) half(l diff.Line, side int) kit.Line {
	out := Row(l.Sides[side], p.reverted(l))
	out.Of = place{l, side}
	return out
}

// Row is a row of a diff with its sign and the words that differ. What was reverted is no longer in force.
func Row(row diff.Row, reverted bool) kit.Line {
	out := kit.Line{Text: row.Text}
	switch row.Kind {
	case diff.Filler:
		out.Own = true
		return out
	case diff.NoNewline, diff.Note:
		out.Own, out.Look = true, func(st *theme.Styles) theme.Paint { return st.Dim }
		return out
	case diff.Context:
		out.Mark = " "
		return out
	}
	added := row.Kind == diff.Added
	paint := func(added, removed func(*theme.Styles) theme.Paint) kit.Look {
		return func(st *theme.Styles) theme.Paint {
			switch {
			case reverted:
				return st.Dim
			case row.Kind == diff.Added:
				return added(st)
			}
			return removed(st)
		}
	}
	out.Mark = "-"
	if added {
		out.Mark = "+"
	}
	out.Look = paint(func(st *theme.Styles) theme.Paint { return st.Added }, func(st *theme.Styles) theme.Paint { return st.Removed })
	word := paint(func(st *theme.Styles) theme.Paint { return st.AddedWord }, func(st *theme.Styles) theme.Paint { return st.RemovedWord })
	end := len(row.Text)
	if added {
		end = diff.TrailingSpace(row.Text)
	}
	for _, w := range row.Words {
		if to := min(w[1], end); w[0] < to {
			out.Spans = append(out.Spans, span(w[0], to, word, diff.Blank(row.Text[w[0]:to])))
		}
	}
	if end < len(row.Text) {
		out.Spans = append(out.Spans, span(end, len(row.Text), func(st *theme.Styles) theme.Paint { return st.Invalid }, true))
	}
	return out
}

func span(from, to int, look kit.Look, blanks bool) kit.Span {
	return kit.Span{Start: from, End: to, Blanks: blanks, Look: func(st *theme.Styles, _ theme.Paint) theme.Paint { return look(st) }}
}

// numberCells is the least width of one line number in a unified diff, sideNumberCells in one side; numbers are shown where the pane is
// at least numbersFrom cells wide.
const (
	numberCells     = 5
	sideNumberCells = 3
	numbersFrom     = 50
)

// lead is the numbers before a line.
func (p *Pane) lead(l kit.Line, width int, _ bool) (string, kit.Look) {
	of, ok := l.Of.(place)
	row := of.line.Sides[of.side]
	if !ok || width < numbersFrom || row.ANumber == 0 && row.BNumber == 0 {
		return "", nil
	}
	numbers, least := []int{row.ANumber, row.BNumber}, numberCells
	if p.result.shown.Sides == 2 {
		numbers, least = []int{max(row.ANumber, row.BNumber)}, sideNumberCells
	}
	wide := max(least, len(strconv.Itoa(max(p.result.result.ALines, p.result.result.BLines))))
	lead := ""
	for _, n := range numbers {
		said := ""
		if n > 0 {
			said = strconv.Itoa(n)
		}
		lead += text.PadLeft(said, wide) + " "
	}
	return lead, func(st *theme.Styles) theme.Paint { return st.Number }
}

// title describes what is compared and, at its right end, what is unusual about it.
func (p *Pane) title(width int) string {
	st, c := p.env.Styles, p.result
	flags := ""
	switch {
	case len(c.sides.RevertedHunks) > 0:
		flags = text.Truncate(fmt.Sprintf("  %s reverted ", kit.Count(len(c.sides.RevertedHunks), "hunk")), width*2/3, st.Glyphs.Ellipsis)
	case c.sides.RevertedBy != 0 && !c.purged(): // of which the heading tells
		flags = text.Truncate(fmt.Sprintf("  reverted by #%d ", c.sides.RevertedBy), width*2/3, st.Glyphs.Ellipsis)
	}
	room := max(0, width-text.Width(flags))
	title := text.Truncate(text.Clean(c.of.Title), room, st.Glyphs.Ellipsis)
	if c.of.Heading.Path != "" {
		title = c.of.Heading.Fit(st, room)
	}
	return text.Pad(title, room) + flags
}

// find finds the row that shows what a row of another form of the same comparison showed; -1: it was another comparison.
func (p *Pane) find(old *kit.Doc, row int) int {
	if was, _ := old.Of.(*compared); was == nil || p.result == nil || p.result.shown == nil || was.of.Key != p.result.of.Key {
		return -1
	}
	// Rows that show no line, such as headers, come before one that does.
	for i := row; i < min(row+4, old.Len); i++ {
		of, _ := old.Line(i).Of.(place)
		if a, b := of.line.Numbers(); a > 0 || b > 0 {
			return max(0, p.result.shown.Nearest(a, b))
		}
	}
	return row
}
