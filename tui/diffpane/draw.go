package diffpane

import (
	"strconv"
	"strings"

	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/pane"
)

// numberCells is the width of one line number; two of them and the sign stand before each line.
const numberCells = 5

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
	return paint.Apply(text.Pad(" "+text.Truncate(p.result.of.Title, max(0, p.w-1), st.Glyphs.Ellipsis), p.w))
}

func (p *Pane) drawBody(out []string, focused bool) []string {
	if p.result == nil {
		return out
	}
	first := max(0, p.top-titleRows)
	if p.result.view == nil {
		for _, note := range p.result.notes[min(first, len(p.result.notes)):] {
			out = append(out, p.env.Styles.Warning.Apply(text.Pad(" "+note, p.w)))
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
	if p.w >= 50 {
		numbers = number(row.ANumber) + number(row.BNumber)
	}
	head := cursor + st.Number.Apply(numbers) + paint.Apply(sign)
	return head + p.content(row, max(1, p.w-1-len(numbers)-1), paint, word)
}

func (p *Pane) plain(line string, paint theme.Paint, current bool) string {
	cursor := " "
	if current {
		cursor = p.env.Styles.Accent.Apply(p.env.Styles.Glyphs.Cursor)
	}
	return cursor + paint.Apply(text.Pad(text.Clean(line), max(0, p.w-1)))
}

// content draws the visible cells of a line, exactly width wide, the changed words marked.
func (p *Pane) content(row diff.Row, width int, paint, word theme.Paint) string {
	var b strings.Builder
	st := p.env.Styles
	room, at, done := width, 0, 0
	emit := func(part []byte, as theme.Paint) {
		o := p.env.Text(at)
		// A line of many megabytes is not measured beyond what can be on the screen.
		part = part[:min(len(part), 4*(p.col+width)+64)]
		wide := text.Column(part, len(part), o)
		if room > 0 && at+wide > p.col {
			for _, s := range text.Window(part, max(0, p.col-at), room, o) {
				use := as
				switch s.Kind {
				case text.Control, text.Invisible:
					use = st.Control
				case text.Invalid:
					use = st.Invalid
				}
				b.WriteString(use.Apply(s.Text))
				room -= s.Width
			}
		}
		at += wide
	}
	for _, w := range row.Words {
		emit(row.Text[done:w[0]], paint)
		emit(row.Text[w[0]:w[1]], word)
		done = w[1]
	}
	emit(row.Text[done:], paint)
	if room > 0 {
		b.WriteString(strings.Repeat(" ", room))
	}
	return b.String()
}

func number(n int) string {
	s := ""
	if n > 0 {
		s = strconv.Itoa(n)
	}
	return strings.Repeat(" ", max(0, numberCells-len(s))) + s + " "
}
