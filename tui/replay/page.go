package replay

import (
	"bytes"

	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// What lines look like.
func dim(st *theme.Styles) theme.Paint     { return st.Dim }
func title(st *theme.Styles) theme.Paint   { return st.Heading }
func added(st *theme.Styles) theme.Paint   { return st.Added }
func removed(st *theme.Styles) theme.Paint { return st.Removed }
func warned(st *theme.Styles) theme.Paint  { return st.Warning }
func folder(st *theme.Styles) theme.Paint  { return st.Directory }
func good(st *theme.Styles) theme.Paint    { return st.Success }

// part is what a line of a page is of.
type part struct {
	lead string // in front of the text, in words of the program
	step int    // a call that enter goes to; 0: none
	path string // a file that enter shows
}

// page is a text that is being made.
type page struct {
	lines []kit.Line
	at    int // where the cursor is put at first
}

func (p *page) add(look kit.Look, text string, of part) {
	p.lines = append(p.lines, kit.Line{Text: []byte(text), Look: look, Of: of})
}

// say adds a sentence of the program.
func (p *page) say(look kit.Look, sentence string) { p.add(look, sentence, part{}) }

// body adds a text line by line.
func (p *page) body(lead string, data []byte) {
	for line := range bytes.Lines(data) {
		p.add(nil, string(bytes.TrimSuffix(line, []byte("\n"))), part{lead: lead})
	}
}

func (p *page) doc() *kit.Doc { return kit.Lines(p.lines) }

// leadOf is for [kit.TextSpec].
func leadOf(l kit.Line, _ int, _ bool) (string, kit.Look) {
	if l.Look == nil {
		return l.Of.(part).lead, func(st *theme.Styles) theme.Paint { return st.Text }
	}
	return l.Of.(part).lead, l.Look
}
