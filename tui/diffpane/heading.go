package diffpane

import (
	"bytes"
	"path"
)

// headingWithin is how many lines above a hunk its heading is looked for.
const headingWithin = 200

// heading returns the Markdown heading that the line of the text after, from 1, is below; ""
// for none, or where the line is one itself. Each is looked for once.
func (p *Pane) heading(b int) string {
	c := p.result
	if b == 0 {
		return ""
	}
	if ext := path.Ext(c.of.Path); ext != ".md" && ext != ".markdown" {
		return ""
	}
	found, known := c.headings[b]
	if known {
		return found
	}
	for i := b - 2; i >= 0 && i > b-headingWithin; i-- {
		if line := c.texts[1].Line(i); isHeading(line) {
			found = string(line[:min(len(line), headingUpTo)])
			break
		}
	}
	if c.headings == nil {
		c.headings = map[int]string{}
	}
	c.headings[b] = found
	return found
}

// headingUpTo is how many bytes of a heading are of use on a screen.
const headingUpTo = 400

// isHeading reports whether a line is a heading of Markdown with signs in front.
func isHeading(line []byte) bool {
	rest := bytes.TrimLeft(line, "#")
	n := len(line) - len(rest)
	return n >= 1 && n <= 6 && len(rest) > 1 && rest[0] == ' '
}
