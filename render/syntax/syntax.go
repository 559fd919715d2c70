// Package syntax turns the text of files other than Markdown into lines for the screen, highlighted if the language is known.
//
// The scanner is our own. We tried Chroma: importing its lexers costs every start of the program 12 ms, its engine with our own rules is
// thirty times slower (0.2 MB/s against 6 MB/s) and on hostile text tries expressions until they time out.
package syntax

import (
	"bytes"

	"memcurator/render/flow"
)

// Lines are the lines of a text; lang may be nil for plain text. folded: the text was made from one line of the file.
func Lines(src []byte, lang *Language, folded bool, o flow.Options) (out []flow.Line) {
	state := uint8(0)
	for line := 0; len(src) > 0; line++ {
		var raw []byte
		raw, src = cutLine(src)
		source := line
		if folded {
			source = 0
		}
		b := flow.NewBuilder(o.Text, source)
		state = lang.Highlight(b, raw, state, flow.Span{})
		out = append(out, b.Line())
	}
	return out
}

// cutLine splits off the first line of src, without its end.
func cutLine(src []byte) (line, after []byte) {
	line, after, _ = bytes.Cut(src, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), after
}
