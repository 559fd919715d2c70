package kit

import (
	"strings"

	"memcurator/render/text"
	"memcurator/render/theme"
)

// Cells draws a row of a line piece by piece until it is full; its cost depends on the text on the screen and to the left of it. Secrets
// of the line are hidden, wherever the row begins and ends.
type Cells struct {
	Env   *Env
	Line  []byte
	Room  int // free cells
	First int // first visible cell of the line
	At    int // cell of the line where the next piece begins
	Start int // screen column where the line begins, for tab stops
	// Blanks draws white space as signs.
	Blanks bool

	masked []byte // the line as it is drawn; nil: not drawn yet
	hidden bool   // with hidden secrets
	out    strings.Builder
}

// Add draws the next piece, from a byte of the line to another.
func (c *Cells) Add(from, to int, paint theme.Paint) { c.add(from, to, paint, false) }

// AddMatch draws the next piece entirely in one paint.
func (c *Cells) AddMatch(from, to int, paint theme.Paint) { c.add(from, to, paint, true) }

func (c *Cells) add(from, to int, paint theme.Paint, match bool) {
	if c.Room <= 0 || from >= to {
		return
	}
	if c.masked == nil {
		c.masked, c.hidden = c.Env.Masked(c.Line)
	}
	b := c.masked[from:to]
	o := c.Env.Text(c.Start + c.At)
	o.Hidden = c.hidden
	for _, s := range text.Window(b, max(0, c.First-c.At), c.Room, o) {
		shown, use := s.Text, paint
		switch glyphs := c.Env.Styles.Glyphs; {
		case match:
		case c.Blanks && s.Kind == text.Tab:
			shown = glyphs.TabMark + s.Text[1:]
		default:
			if shown, use = c.Env.MarkOdd(s, paint); c.Blanks {
				shown = strings.ReplaceAll(shown, " ", glyphs.Blank)
			}
		}
		c.out.WriteString(use.Apply(shown))
		c.Room -= s.Width
	}
	if c.Room > 0 {
		c.At += text.Column(b, len(b), o)
	}
}

// MarkOdd marks control characters, and bytes that are not text.
func (e *Env) MarkOdd(s text.Span, paint theme.Paint) (string, theme.Paint) {
	switch s.Kind {
	case text.Control, text.Invisible:
		return s.Text, paint.With(e.Styles.Control)
	case text.Invalid:
		return s.Text, paint.With(e.Styles.Invalid)
	}
	return s.Text, paint
}

// String returns the row, padded with paint.
func (c *Cells) String(paint theme.Paint) string {
	if c.Room > 0 {
		c.out.WriteString(paint.Apply(strings.Repeat(" ", c.Room)))
		c.Room = 0
	}
	return c.out.String()
}

// Row is what a row of room cells shows of a line, without paint: the bytes from one to another, the first of them in a column. Secrets
// of the line are hidden, wherever the row begins and ends.
func (e *Env) Row(line []byte, from, to, room, col int) string {
	var out strings.Builder
	o := e.Text(col)
	line, o.Hidden = e.Masked(line)
	for _, s := range text.Window(line[from:to], 0, room, o) {
		out.WriteString(s.Text)
	}
	return out.String()
}

// Wrapped breaks a text into rows of at most width cells, without paint, that are safe to show. Its secrets are hidden.
func (e *Env) Wrapped(s string, width int) []string {
	width = max(1, width)
	var out []string
	for s := range strings.SplitSeq(s, "\n") {
		line := []byte(s)
		for _, part := range text.Wrap(nil, line, width, e.Text(0)) {
			out = append(out, e.Row(line, part.Start, part.End, width, part.Col))
		}
	}
	return out
}

// notice shows a sentence of the program instead of a text, in rows of w cells.
func notice(e *Env, sentence string, w int) []string {
	var out []string
	for _, r := range text.Wrap(nil, []byte(sentence), max(1, w-2), e.Text(0)) {
		out = append(out, e.Styles.Dim.Apply(text.Pad(text.Truncate(" "+sentence[r.Start:r.End], w, ""), w)))
	}
	return out
}

// FillRows cuts rows of w cells to h, or adds blank ones.
func FillRows(rows []string, w, h int) []string {
	rows = rows[:min(len(rows), max(0, h))]
	if len(rows) < h {
		blank := strings.Repeat(" ", max(0, w))
		for len(rows) < h {
			rows = append(rows, blank)
		}
	}
	return rows
}
