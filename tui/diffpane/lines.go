package diffpane

import (
	"bytes"
	"fmt"
	"path"
	"strconv"
	"strings"

	"memcurator/memstore/undo"
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

func dim(st *theme.Styles) theme.Paint      { return st.Dim }
func hunkLook(st *theme.Styles) theme.Paint { return st.Hunk }

// sheet is the form for the wish of the user and the width; nil: none.
func (p *Pane) sheet() *diff.View {
	switch c := p.result; {
	case c.unified == nil:
		return nil
	case p.split && p.Width() >= sidesFrom:
		return c.split
	default:
		return c.unified
	}
}

// lay shows the result, or why there are no lines.
func (p *Pane) lay() {
	c := p.result
	c.shown = p.sheet()
	var doc *kit.Doc
	if s := c.shown; s != nil {
		doc = &kit.Doc{Len: s.Len(), Line: p.lineOf(c, s, c.reverted)}
	} else {
		var notes []kit.Line
		for _, note := range c.notes {
			notes = append(notes, kit.Line{
				Text: []byte(text.Clean(note)), Own: true, Look: func(st *theme.Styles) theme.Paint { return st.Warning },
			})
		}
		doc = kit.Lines(notes)
	}
	doc.Of, doc.Above = c, p.title
	p.Set(c.of.subject(), doc)
}

// lineOf returns the lines of a sheet for the screen.
func (p *Pane) lineOf(c *compared, s *diff.View, reverted undo.Reverted) func(i int) kit.Line {
	glyphs := p.env.Styles.Glyphs
	return func(i int) kit.Line {
		c.mu.Lock()
		defer c.mu.Unlock()
		l := s.At(i)
		switch {
		case l.Kind == diff.HunkHeader:
			return c.header(l, s.At(min(i+1, s.Len()-1)), reverted)
		case l.Kind == diff.Note:
			return kit.Line{Text: l.Sides[0].Text, Own: true, Look: dim, Of: place{line: l}}
		}
		first := p.half(c, l, 0, &glyphs)
		if s.Sides == 2 {
			second := p.half(c, l, 1, &glyphs)
			first.Own = first.Own || l.Kind == diff.Context // the same line is found once
			first.Right = &second
		}
		return first
	}
}

// half is a side of a row.
func (p *Pane) half(c *compared, l diff.Line, side int, glyphs *theme.Glyphs) kit.Line {
	row := l.Sides[side]
	out := kit.Line{Text: row.Text, Of: place{l, side}}
	switch {
	case row.Kind == diff.Filler:
		return kit.Line{Own: true, Of: out.Of}
	case row.Kind == diff.NoNewline:
		out.Own, out.Look = true, dim
		return out
	case c.of.sections.names(row):
		out.Look = func(st *theme.Styles) theme.Paint { return st.Title }
		return out
	}
	var line, word kit.Look
	switch moved := row.Moved > 0; {
	case row.Kind == diff.Context:
		out.Mark = " "
		return out
	case moved:
		line = func(st *theme.Styles) theme.Paint { return st.Moved }
		if out.Mark = glyphs.MovedHere; row.Kind == diff.Removed {
			out.Mark = glyphs.MovedAway
		}
	case row.Kind == diff.Added:
		out.Mark = "+"
		line = func(st *theme.Styles) theme.Paint { return st.Added }
		word = func(st *theme.Styles) theme.Paint { return st.AddedWord }
	default:
		out.Mark = "-"
		line = func(st *theme.Styles) theme.Paint { return st.Removed }
		word = func(st *theme.Styles) theme.Paint { return st.RemovedWord }
	}
	out.Look = p.unlessReverted(l, line)
	end := len(row.Text)
	if row.Kind == diff.Added && !c.ignore {
		end = diff.TrailingSpace(row.Text)
	}
	for _, w := range row.Words {
		if to := min(w[1], end); w[0] < to {
			out.Spans = append(out.Spans, span(w[0], to, p.unlessReverted(l, word), diff.Blank(row.Text[w[0]:to])))
		}
	}
	if end < len(row.Text) {
		out.Spans = append(out.Spans, span(end, len(row.Text), func(st *theme.Styles) theme.Paint { return st.Invalid }, true))
	}
	return out
}

// unlessReverted is the look of changed lines that are in force; others are dim.
func (p *Pane) unlessReverted(l diff.Line, look kit.Look) kit.Look {
	return func(st *theme.Styles) theme.Paint {
		if p.revertedBy(l) != 0 {
			return st.Dim
		}
		return look(st)
	}
}

func span(from, to int, look kit.Look, blanks bool) kit.Span {
	return kit.Span{Start: from, End: to, Blanks: blanks, Look: func(st *theme.Styles, _ theme.Paint) theme.Paint { return look(st) }}
}

// headingMost is how many cells of a heading are shown.
const headingMost = 40

// header introduces a hunk whose first line is next: with what was reverted of it, or the heading in the text that it is below.
func (c *compared) header(l, next diff.Line, reverted undo.Reverted) kit.Line {
	out := kit.Line{Own: true, Look: hunkLook, Of: place{line: l}}
	if c.of.sections != nil {
		if name := c.of.sections.introduces(next); name != "" { // else a blank row sets the path below it apart
			out.Text = []byte("@@ " + name)
		}
		return out
	}
	said, look := c.revertedIn(next, reverted), kit.Look(func(st *theme.Styles) theme.Paint { return st.Warning })
	if said == "" {
		said, look = text.Truncate(text.Clean(c.heading(next)), headingMost, "..."), dim
	}
	out.Text = l.Sides[0].Text
	if said != "" {
		out.Text = fmt.Appendf(nil, "%s  %s", out.Text, said)
		out.Spans = []kit.Span{span(len(l.Sides[0].Text), len(out.Text), look, false)}
	}
	return out
}

// headingWithin is how many lines above a hunk its heading is looked for.
const headingWithin = 200

// heading returns the Markdown heading that a row is below in the text after; "" for none.
func (c *compared) heading(l diff.Line) string {
	_, b := l.Numbers()
	if ext := path.Ext(c.of.Path); ext != ".md" && ext != ".markdown" {
		return ""
	}
	for i := b - 2; i >= 0 && i > b-headingWithin; i-- {
		line := c.texts[1].Line(i)
		rest := bytes.TrimLeft(line, "#")
		if n := len(line) - len(rest); n >= 1 && n <= 6 && len(rest) > 1 && rest[0] == ' ' {
			return string(line[:min(len(line), 4*headingMost)])
		}
	}
	return ""
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
	if !ok || width < numbersFrom || row.ANumber == 0 && row.BNumber == 0 || p.result.of.sections.names(row) {
		return "", nil
	}
	numbers, least := []int{row.ANumber, row.BNumber}, numberCells
	if p.result.shown.Sides == 2 {
		numbers, least = []int{max(row.ANumber, row.BNumber)}, sideNumberCells
	}
	wide := max(least, len(strconv.Itoa(max(p.result.result.ALines, p.result.result.BLines))))
	lead := ""
	for i, n := range numbers {
		said := ""
		if n = p.result.of.sections.local(max(i, of.side), n); n > 0 {
			said = strconv.Itoa(n)
		}
		lead += text.PadLeft(said, wide) + " "
	}
	return lead, func(st *theme.Styles) theme.Paint {
		if p.isSelected(of.line) {
			return st.Marked
		}
		return st.Number
	}
}

// sign marks the hunks that are selected, and those that were reverted.
func (p *Pane) sign(l kit.Line) (string, kit.Look) {
	of, _ := l.Of.(place)
	switch st := p.env.Styles; {
	case p.isSelected(of.line):
		return st.Glyphs.Mark, func(st *theme.Styles) theme.Paint { return st.Marked }
	case p.revertedBy(of.line) != 0:
		return st.Glyphs.Undone, func(st *theme.Styles) theme.Paint { return st.Warning }
	}
	return "", nil
}

// title describes what is compared and, at its right end, in which unusual form.
func (p *Pane) title(width int) string {
	st := p.env.Styles
	flags := text.Truncate(p.flags(), width*2/3, st.Glyphs.Ellipsis)
	room := max(0, width-text.Width(flags))
	of := p.result.of
	if of.Key == p.target.Key {
		of = p.target // it may have got another title
	}
	title := text.Truncate(text.Clean(of.Title), room, st.Glyphs.Ellipsis)
	if of.Heading.Path != "" {
		title = of.Heading.Fit(st, room)
	}
	return text.Pad(title, room) + flags
}

// flags are the words at the right end of the title.
func (p *Pane) flags() string {
	var words []string
	if p.result.result != nil && p.result.of.Subject != "" {
		r, g := p.result.result, p.env.Styles.Glyphs
		words = append(words, fmt.Sprintf("%s%d %s%d", g.Plus, r.Added, g.Minus, r.Removed))
	}
	if said := revertedText(p.result.reverted.By); said != "" {
		words = append(words, said)
	}
	if p.result.ignore {
		words = append(words, "whitespace ignored")
	}
	if p.split && p.result.shown != nil && p.Width() < sidesFrom {
		words = append(words, "too narrow for two sides")
	}
	if len(words) == 0 {
		return ""
	}
	return "  " + strings.Join(words, "  ") + " "
}
