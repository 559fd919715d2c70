package flow

import (
	"strings"

	"memcurator/render/text"
)

// Builder makes a line from bytes of a file.
type Builder struct {
	o     text.Options
	line  Line
	col   int // cells so far
	from  int // starting column of the content, for tab stops
	spans []text.Span
}

// NewBuilder starts a line.
func NewBuilder(o text.Options) *Builder { return &Builder{o: o, from: o.StartCol} }

// Link registers a target and returns its number for [Builder.Text].
func (b *Builder) Link(target string) int {
	b.line.Links = append(b.line.Links, target)
	return len(b.line.Links)
}

// Links returns the targets so far, for a line that continues them.
func (b *Builder) Links() []string { return b.line.Links }

// SetLinks begins the line within a link of the line before.
func (b *Builder) SetLinks(links []string) { b.line.Links = links[:len(links):len(links)] }

// Text adds raw bytes, sanitized.
func (b *Builder) Text(raw []byte, like Span) {
	b.o.StartCol = b.from + b.col
	b.spans = text.Spans(b.spans[:0], raw, b.o)
	for _, s := range b.spans {
		part := like
		switch s.Kind {
		case text.Control, text.Invisible:
			part.Role = Control
		case text.Invalid:
			part.Role = Invalid
		}
		part.Text, part.Width = s.Text, s.Width
		b.Span(part)
	}
}

// joinUpTo limits the size of spans that grow by joining, in bytes: text that arrives one character at a time would be copied again and
// again.
const joinUpTo = 512

// Span adds clean text, merging it with the span before if they look the same.
func (b *Builder) Span(s Span) {
	if s.Text == "" {
		return
	}
	b.col += s.Width
	if n := len(b.line.Spans); n > 0 {
		last := &b.line.Spans[n-1]
		if last.Role == s.Role && last.Attr == s.Attr && last.Link == s.Link && len(last.Text) < joinUpTo {
			last.Text += s.Text
			last.Width += s.Width
			return
		}
	}
	b.line.Spans = append(b.line.Spans, s)
}

// Line returns the line. References in double brackets, which many notes use, become links.
func (b *Builder) Line() Line {
	b.brackets()
	return b.line
}

// brackets turns [[name]] in plain text into a link to name.
func (b *Builder) brackets() {
	content := b.line.Content()
	if !strings.Contains(content, "[[") {
		return
	}
	var out []Span
	cut := cutter{spans: b.line.Spans}
	for at := 0; ; {
		i := strings.Index(content[at:], "[[")
		if i < 0 {
			break
		}
		start := at + i
		n := strings.Index(content[start:], "]]")
		if n < 0 {
			break
		}
		end := start + n + 2
		at = end
		name := content[start+2 : end-2]
		if name == "" || strings.ContainsAny(name, "[]") {
			continue
		}
		out = append(out, cut.take(start)...)
		inside := cut.take(end)
		if linkable(inside) {
			number := b.Link(name)
			for k := range inside {
				inside[k].Role, inside[k].Link = Link, number
			}
		}
		out = append(out, inside...)
	}
	b.line.Spans = append(out, cut.take(len(content))...)
}

// linkable reports whether all spans are plain text, neither code nor links.
func linkable(spans []Span) bool {
	for _, s := range spans {
		if s.Link != 0 || s.Role != Plain && s.Role != Heading {
			return false
		}
	}
	return true
}

// Own is a span of the program's own clean text.
func Own(s string, role Role) Span { return Span{Text: s, Width: text.Width(s), Role: role} }
