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
		out = append(out, p.drawRow(row, focused && first+i+titleRows == p.line)...)
		if len(out) >= p.h {
			break
		}
	}
	return out
}

// drawRow draws one row of the diff as one screen row or, wrapped, as several.
func (p *Pane) drawRow(row diff.Row, current bool) []string {
	st := p.env.Styles
	sign, paint, word := " ", st.Text, st.Text
	switch row.Kind {
	case diff.HunkHeader:
		return []string{p.plain(string(row.Text), st.Hunk, current)}
	case diff.Note, diff.NoNewline:
		return []string{p.plain(string(row.Text), st.Dim, current)}
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
	if !p.wrap {
		from := text.ByteAt(row.Text, p.col, p.env.Text(0))
		at := text.Column(row.Text, from, p.env.Text(0))
		return []string{head + p.content(row, from, len(row.Text), p.col, at, paint, word)}
	}
	var out []string
	for _, part := range p.wrapRow(row) {
		out = append(out, head+p.content(row, part.Start, part.End, part.Col, part.Col, paint, word))
		head = " " + strings.Repeat(" ", len(numbers)) + paint.Apply(" ")
	}
	return out
}

// wrapUpTo is how much of one line is wrapped, in bytes; unwrapped, all of it can be scrolled to.
const wrapUpTo = 16 << 10

// wrapRow breaks a line into the parts that are shown below each other.
func (p *Pane) wrapRow(row diff.Row) []text.Row {
	return text.Wrap(nil, row.Text[:min(len(row.Text), wrapUpTo)], p.contentWidth(), p.env.Text(0))
}

func (p *Pane) plain(line string, paint theme.Paint, current bool) string {
	cursor := " "
	if current {
		cursor = p.env.Styles.Accent.Apply(p.env.Styles.Glyphs.Cursor)
	}
	return cursor + paint.Apply(text.Pad(text.Clean(line), max(0, p.w-1)))
}

// content draws the bytes [from, to) of a line from the cell col on, exactly as wide as
// there is room, the changed words marked; at is the cell of the byte from. A line may be many
// megabytes long: what it costs is what is on the screen and left of it. A line that goes on
// beyond the edge ends in an ellipsis.
func (p *Pane) content(row diff.Row, from, to, col, at int, paint, word theme.Paint) string {
	c := cells{p: p, room: p.contentWidth(), col: col, at: at, line: row.Text}
	if !p.wrap && text.ByteAt(row.Text, col+c.room, p.env.Text(0)) < to {
		c.room--
	}
	cut := c.room < p.contentWidth()
	done := from
	for _, w := range row.Words {
		if w[1] <= done {
			continue
		}
		if c.room <= 0 || w[0] >= to {
			break
		}
		start, end := max(done, w[0]), min(w[1], to)
		c.part(done, start, paint)
		c.part(start, end, word)
		done = end
	}
	c.part(done, to, paint)
	if c.room > 0 {
		c.out.WriteString(strings.Repeat(" ", c.room))
	}
	if cut {
		c.out.WriteString(p.env.Styles.Dim.Apply(p.env.Styles.Glyphs.More))
	}
	return c.out.String()
}

// cells draws one line part by part until there is no room.
type cells struct {
	p    *Pane
	line []byte
	out  strings.Builder
	room int
	col  int // first cell shown
	at   int // cell where the next part begins
}

func (c *cells) part(from, to int, paint theme.Paint) {
	if c.room <= 0 || from >= to {
		return
	}
	st, b := c.p.env.Styles, c.line[from:to]
	o := c.p.env.Text(c.at)
	for _, s := range text.Window(b, max(0, c.col-c.at), c.room, o) {
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
