package diffpane

import (
	"strconv"
	"strings"

	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/pane"
)

// numberCells is the least width of one line number; two of them and the sign stand
// before each line, where the pane is at least numbersFrom cells wide.
const (
	numberCells = 5
	numbersFrom = 50
)

// numberWidth is the width of both line numbers with the spaces behind them.
func (p *Pane) numberWidth() int {
	if p.w < numbersFrom || p.result == nil || p.result.result == nil {
		return 0
	}
	digits := len(strconv.Itoa(max(p.result.result.ALines, p.result.result.BLines)))
	return 2 * (max(numberCells, digits) + 1)
}

// contentWidth is what is left for a line beside cursor, numbers and sign.
func (p *Pane) contentWidth() int { return max(1, p.w-2-p.numberWidth()) }

// Rows implements [pane.Pane].
func (p *Pane) Rows(focused bool) []string {
	out := make([]string, 0, p.h)
	st := p.env.Styles
	if p.result == nil {
		message := pane.TextNoChangeFile
		if p.target.Key != "" {
			message = pane.TextComparing
		}
		out = append(out, st.Dim.Apply(text.Pad(" "+message, p.w)))
	}
	if p.result != nil && p.top == 0 && len(out) < p.h {
		out = append(out, p.drawTitle(focused))
	}
	out = p.drawBody(out, focused)
	for len(out) < p.h {
		out = append(out, strings.Repeat(" ", p.w))
	}
	return out[:p.h]
}

func (p *Pane) drawTitle(focused bool) string {
	st := p.env.Styles
	paint := st.Title
	if focused && p.line == 0 {
		paint = st.Selected
	}
	return paint.Apply(text.Pad(" "+text.Truncate(text.Clean(p.result.of.Title), max(0, p.w-1), st.Glyphs.Ellipsis), p.w))
}

func (p *Pane) drawBody(out []string, focused bool) []string {
	if p.result == nil {
		return out
	}
	first := max(0, p.top-titleRows)
	if p.result.view == nil {
		for _, note := range p.result.notes[min(first, len(p.result.notes)):] {
			out = append(out, p.env.Styles.Warning.Apply(text.Pad(" "+text.Clean(note), p.w)))
		}
		return out
	}
	if len(out) >= p.h {
		return out
	}
	for i, row := range p.result.view.Rows(first, p.h-len(out)) {
		out = append(out, p.drawRow(row, focused && first+i+titleRows == p.line))
	}
	return out
}

func (p *Pane) drawRow(row diff.Row, current bool) string {
	st := p.env.Styles
	sign, paint, word := " ", st.Text, st.Text
	switch row.Kind {
	case diff.HunkHeader:
		return p.plain(string(row.Text), st.Hunk, current)
	case diff.Note, diff.NoNewline:
		return p.plain(string(row.Text), st.Dim, current)
	case diff.Added:
		sign, paint, word = "+", st.Added, st.AddedWord
	case diff.Removed:
		sign, paint, word = "-", st.Removed, st.RemovedWord
	}
	cursor := " "
	if current {
		cursor = st.Accent.Apply(st.Glyphs.Cursor)
	}
	numbers := ""
	if wide := p.numberWidth(); wide > 0 {
		numbers = number(row.ANumber, wide/2) + number(row.BNumber, wide/2)
	}
	head := cursor + st.Number.Apply(numbers) + paint.Apply(sign)
	return head + p.content(row, p.contentWidth(), paint, word)
}

func (p *Pane) plain(line string, paint theme.Paint, current bool) string {
	cursor := " "
	if current {
		cursor = p.env.Styles.Accent.Apply(p.env.Styles.Glyphs.Cursor)
	}
	return cursor + paint.Apply(text.Pad(text.Clean(line), max(0, p.w-1)))
}

// content draws the visible cells of a line, exactly width wide, the changed words
// marked. A line may be many megabytes long: what it costs is what is on the screen and
// left of it.
func (p *Pane) content(row diff.Row, width int, paint, word theme.Paint) string {
	o := p.env.Text(0)
	from := text.ByteAt(row.Text, p.col, o)
	c := cells{p: p, room: width, at: text.Column(row.Text, from, o), line: row.Text}
	done := from
	for _, w := range row.Words {
		if w[1] <= done {
			continue
		}
		if c.room <= 0 {
			break
		}
		start := max(done, w[0])
		c.part(done, start, paint)
		c.part(start, w[1], word)
		done = w[1]
	}
	c.part(done, len(row.Text), paint)
	if c.room > 0 {
		c.out.WriteString(strings.Repeat(" ", c.room))
	}
	return c.out.String()
}

// cells draws one line part by part until there is no room.
type cells struct {
	p    *Pane
	line []byte
	out  strings.Builder
	room int
	at   int // cell where the next part begins
}

func (c *cells) part(from, to int, paint theme.Paint) {
	if c.room <= 0 || from >= to {
		return
	}
	st, b := c.p.env.Styles, c.line[from:to]
	o := c.p.env.Text(c.at)
	for _, s := range text.Window(b, max(0, c.p.col-c.at), c.room, o) {
		use := paint
		switch s.Kind {
		case text.Control, text.Invisible:
			use = st.Control
		case text.Invalid:
			use = st.Invalid
		}
		c.out.WriteString(use.Apply(s.Text))
		c.room -= s.Width
	}
	if c.room > 0 {
		c.at += text.Column(b, len(b), o)
	}
}

// number draws a line number in width cells, one of them a space behind it.
func number(n, width int) string {
	s := ""
	if n > 0 {
		s = strconv.Itoa(n)
	}
	return text.PadLeft(s, width-1) + " "
}
