// Package flow has text that is ready for the screen except for its width: logical lines of clean styled spans, and the rows they take in
// a pane. Packages markdown and syntax make lines; the rendered tab wraps and paints them.
//
// All text passes through render/text (see [Builder.Text]), so no byte of a file reaches the terminal except as a visible character.
// Roles are meanings, not colors: the drawing code chooses the paint, so lines stay valid when the theme changes. The package is pure;
// values are immutable once returned.
package flow

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memcurator/render/text"
)

// Role is the meaning of a span, which determines its paint.
type Role uint8

// Roles. Those from Keyword on are for highlighted code.
const (
	Plain   Role = iota
	Dim          // our own text, or unimportant text
	Heading      // the text of a heading
	Marker       // bullets, numbers, hashes, quote bars
	Code         // code without a language
	Link         // the text of a link
	Target       // where a link leads
	HTML         // tags, shown as they are
	Rule         // lines of tables and thematic breaks
	Control      // the representation of a character that can't be shown
	Invalid      // the representation of a byte that is not UTF-8
	Keyword
	Name // keys, tags, attributes
	String
	Number
	Comment
)

// Attr is a set of attributes in addition to the role.
type Attr uint8

// Attributes.
const (
	Bold Attr = 1 << iota
	Italic
	Strike
)

// Span is a run of clean text of one style.
type Span struct {
	Text  string
	Width int // cells
	Role  Role
	Attr  Attr
	Link  int // index in the line's Links, from 1; 0 for none
}

// Line is a logical line: one row, or more where it is wrapped.
type Line struct {
	Prefix []Span // before the first row
	Hang   []Span // before the other rows; as wide as Prefix
	Spans  []Span
	Links  []string // raw targets from the file: sanitize before display
}

// Options describe the pane that lines are made for. Width is that of the whole row.
type Options struct {
	Width int
	Text  text.Options
	// Mask hides secrets in what is wrapped while lines are made, the cells of tables; nil: nothing is hidden. Masks counts its changes:
	// lines that were made for another number are outdated.
	Mask  Mask
	Masks int
}

// Mask returns a line with its secrets hidden, see [text.Hide].
type Mask interface {
	Line(line []byte, o text.Options) (masked []byte, hidden bool)
}

// Masked is the line with dots for its secrets.
func (l Line) Masked(o Options) Line {
	if o.Mask == nil {
		return l
	}
	content, hidden := o.Mask.Line([]byte(l.Content()), o.Text)
	if !hidden {
		return l
	}
	spans, at := slices.Clone(l.Spans), 0
	for i := range spans {
		to := at + len(spans[i].Text)
		spans[i].Text, at = text.Dots(string(content[at:to]), o.Text), to
	}
	l.Spans = spans
	return l
}

// Row is a screen row of a line.
type Row struct {
	Spans []Span
	Width int // cells
	Links []string
}

// Content is the text of the line without its prefix.
func (l *Line) Content() string {
	if len(l.Spans) == 1 {
		return l.Spans[0].Text
	}
	var b strings.Builder
	for i := range l.Spans {
		b.WriteString(l.Spans[i].Text)
	}
	return b.String()
}

// Width is the total width of spans, in cells.
func Width(spans []Span) int {
	n := 0
	for i := range spans {
		n += spans[i].Width
	}
	return n
}

// Rows appends the rows of lines at a width. Prefixes take at most half of it.
func Rows(dst []Row, lines []Line, o Options) []Row {
	for i := range lines {
		dst = lines[i].rows(dst, o)
	}
	return dst
}

func (l *Line) rows(dst []Row, o Options) []Row {
	width := max(1, o.Width)
	prefix, hang := Clip(l.Prefix, width/2), Clip(l.Hang, width/2)
	content := l.Content()
	line := []byte(content)
	o.Text.StartCol = 0
	parts := text.Wrap(nil, line, width-max(Width(prefix), Width(hang)), o.Text)
	cut := cutter{spans: l.Spans}
	for i, part := range parts {
		lead := prefix
		if i > 0 {
			lead = hang
		}
		if i > 0 && part.Start < part.End && line[part.Start] == ' ' && !carries(line[part.Start+1:]) {
			cut.take(part.Start + 1) // the row breaks at the space between two words
			part.Start++
			part.Width--
		}
		// A character may be wider than the whole row.
		spans := Clip(append(slices.Clip(lead), cut.take(part.End)...), width)
		dst = append(dst, Row{Spans: spans, Width: Width(spans), Links: l.Links})
	}
	return dst
}

// carries reports whether the space before p belongs to a combining mark: without it the row would begin with the mark.
func carries(p []byte) bool {
	r, _ := utf8.DecodeRune(p)
	return unicode.Is(unicode.M, r)
}

// cutter returns spans in pieces from left to right.
type cutter struct {
	spans []Span
	at    int // bytes returned
	into  int // bytes of the first span returned
}

// take returns the spans up to byte to.
func (c *cutter) take(to int) []Span {
	var out []Span
	for c.at < to && len(c.spans) > 0 {
		s := c.spans[0]
		whole := s.Text
		n := min(len(whole)-c.into, to-c.at)
		if n < len(whole) {
			s.Text = whole[c.into : c.into+n]
			s.Width = text.Width(s.Text)
		}
		out = append(out, s)
		c.at += n
		if c.into += n; c.into >= len(whole) {
			c.spans, c.into = c.spans[1:], 0
		}
	}
	return out
}

// Clip cuts spans to at most width cells.
func Clip(spans []Span, width int) []Span {
	if Width(spans) <= width {
		return spans
	}
	var out []Span
	for _, s := range spans {
		if s.Width > width {
			s.Text = text.Truncate(s.Text, width, "")
			s.Width = text.Width(s.Text)
			if s.Width > 0 {
				out = append(out, s)
			}
			return out
		}
		out = append(out, s)
		width -= s.Width
	}
	return out
}
