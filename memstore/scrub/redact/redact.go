// Package redact puts placeholders in the place of sensitive values, so that JSON and YAML still parse.
//
// [Edits] gets a text and the spans of its values and knows nothing of how they were found. It holds what a
// placeholder looks like ([Placeholder], [PlaceholderEnd]): what is in one is never found again. No function keeps state.
package redact

import (
	"bytes"
	"slices"
	"strconv"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/view"
)

// Span is a sensitive value of a text.
type Span struct {
	Start, End int    // bytes of the text
	Class      string // of the finding
}

// Edit replaces a span of a text. Class is that of the finding behind it.
type Edit struct {
	Start, End int
	Text       string
	Class      string
}

// Edits turns values of a text into replacements, ordered and free of overlaps. JSON and YAML that could be parsed still can.
func Edits(format view.Format, text []byte, values []Span) []Edit {
	w := placeholderWriter{text: text, format: format}
	for _, f := range values {
		if f.Start < 0 || f.End > len(text) || f.Start >= f.End {
			continue
		}
		w.place(f)
	}
	return w.settle()
}

// Apply carries out edits, ordered and free of overlaps, on the text they were made for.
func Apply(text []byte, edits []Edit) []byte {
	var out bytes.Buffer
	out.Grow(len(text))
	at := 0
	for _, ed := range edits {
		if ed.Start < at || ed.End > len(text) {
			continue
		}
		out.Write(text[at:ed.Start])
		out.WriteString(ed.Text)
		at = ed.End
	}
	out.Write(text[at:])
	return out.Bytes()
}

// placeholderWriter makes the edits of one text.
type placeholderWriter struct {
	text   []byte
	format view.Format
	edits  []Edit
	keys   int // placeholders that stand as keys: they must differ
}

// place makes the edit of one value. Those of JSON are put into strings at the end.
func (w *placeholderWriter) place(f Span) {
	ed := Edit{f.Start, f.End, Placeholder(f.Class), f.Class}
	if !w.format.Escapes() {
		if ed.Start > 0 && w.text[ed.Start-1] == ':' {
			ed.Text = Word + "-" + ed.Class
		}
		switch {
		case w.format == view.YAML && ascii.IsLabel(w.text, ed.End):
			ed.Text = w.keyed(ed.Text)
		case w.format != view.YAML && bareNumber(w.text, ed.Start, ed.End):
			ed.Text = `"` + ed.Text + `"`
		}
	}
	w.edits = append(w.edits, ed)
}

// keyed is a placeholder that stands as a key: the second one is numbered, so that no entry is lost.
func (w *placeholderWriter) keyed(text string) string {
	if w.keys++; w.keys == 1 {
		return text
	}
	return text + ":" + strconv.Itoa(w.keys)
}

// settle orders the edits and resolves overlaps: the first one that begins keeps its text.
func (w *placeholderWriter) settle() []Edit {
	slices.SortStableFunc(w.edits, func(a, b Edit) int { return a.Start - b.Start })
	var out []Edit
	for _, ed := range w.edits {
		n := len(out) - 1
		if n >= 0 && ed.Start < out[n].End {
			out[n].End = max(out[n].End, ed.End)
			continue
		}
		out = append(out, ed)
	}
	if w.format.Escapes() {
		return w.inStrings(out)
	}
	return out
}
