package redact

import (
	"bytes"
	"strconv"
	"strings"

	"memcurator/memstore/scrub/ascii"
)

// inFrontMatter reports whether at is in the YAML at the head of a Markdown text.
func (w *placeholderWriter) inFrontMatter(at int) bool {
	if !w.framed {
		w.framed = true
		if bytes.HasPrefix(w.text, []byte("---\n")) || bytes.HasPrefix(w.text, []byte("---\r\n")) {
			w.frontEnd = bytes.Index(w.text[:min(len(w.text), 32<<10)], []byte("\n---"))
		}
	}
	return at < w.frontEnd
}

// placeYAML writes a placeholder so that it is a string: "[" opens a list where a value begins.
func (w *placeholderWriter) placeYAML(ed Edit) {
	y := w.readYAML(ed.Start)
	if y.tag[1] > y.tag[0] && typed.Has(w.text[y.tag[0]:y.tag[1]]) {
		w.edits = append(w.edits, Edit{Start: y.tag[0], End: ascii.Run(w.text, y.tag[1], ascii.JSONSpace)}) // "!!int" of what is a text now
	}
	switch {
	case y.comment || y.quote != 0 || w.inBlockScalar(ed.Start):
		if ed.End < len(w.text) && w.text[ed.End] == y.quote && ascii.IsLabel(w.text, ed.End) {
			ed.Text = w.keyed(ed.Text)
		}
		w.edits = append(w.edits, ed)
		return
	case y.start == ed.Start || y.flow:
	default:
		w.edits = append(w.edits, ed)
		return
	}
	if w.scalarStart != y.start || ed.End > w.scalarEnd { // else an edit before this one has found it
		w.scalarStart, w.scalarEnd = y.start, y.end(w.text, ed.End)
	}
	end := w.scalarEnd
	if key := ascii.Run(w.text, end, ascii.Blanks); key < len(w.text) && w.text[key] == ':' {
		ed.Text = w.keyed(ed.Text)
	}
	if y.start == ed.Start && end == ed.End {
		ed.Text = `"` + ed.Text + `"`
		w.edits = append(w.edits, ed)
		return
	}
	// The scalar continues past the value: quote all of it, and double the quotes inside.
	if n := len(w.edits); n > 0 && w.edits[n-1].End > y.start {
		w.edits = append(w.edits, ed)
		return
	}
	w.edits = append(w.edits, Edit{Start: y.start, End: y.start, Text: "'"}, ed)
	for i := y.start; i < end; i++ {
		if w.text[i] == '\'' && (i < ed.Start || i >= ed.End) {
			w.edits = append(w.edits, Edit{Start: i, End: i, Text: "'"})
		}
	}
	w.edits = append(w.edits, Edit{Start: end, End: end, Text: "'"})
}

// keyed is a placeholder that stands as a key: the second one is numbered, so that no entry is lost.
func (w *placeholderWriter) keyed(text string) string {
	if w.keys++; w.keys == 1 {
		return text
	}
	return strings.TrimSuffix(text, "]") + ":" + strconv.Itoa(w.keys) + "]"
}

// inBlockScalar reports whether at is in the text below "key: |" or "key: >".
func (w *placeholderWriter) inBlockScalar(at int) bool {
	b := w.text
	start := ascii.LineStart(b, at, ascii.MaxLine)
	if w.block.line == start {
		return w.block.in
	}
	indent := ascii.Run(b, start, ascii.Blanks) - start
	asked := blockLine{line: start, indent: indent}
	defer func() { w.block = asked }()
	for lines := 0; start > 0 && indent > 0 && lines < 400; lines++ {
		start = ascii.LineStart(b, start-1, ascii.MaxLine)
		text := ascii.Run(b, start, ascii.Blanks)
		if text-start >= indent || text >= len(b) || b[text] == '\n' || b[text] == '\r' {
			if w.block.line == start && w.block.indent == indent {
				asked.in = w.block.in // as for the line of an edit before
				return asked.in
			}
			continue
		}
		indent = text - start
		line := bytes.TrimRight(b[text:ascii.LineEnd(b, text, ascii.MaxLine)], " \t\r+-0123456789")
		if bytes.HasSuffix(line, []byte(": |")) || bytes.HasSuffix(line, []byte(": >")) || bytes.HasSuffix(line, []byte("- |")) ||
			bytes.HasSuffix(line, []byte("- >")) {
			asked.in = true
			return true
		}
	}
	return false
}

// blockLine is a line and whether it belongs to a block.
type blockLine struct {
	line, indent int
	in           bool
}

// yamlPlace is where in a YAML text an offset is, as far as its line shows.
type yamlPlace struct {
	start   int  // of the plain scalar
	quote   byte // of the quoted scalar, 0 for a plain one
	comment bool
	flow    bool   // inside { } or [ ]
	tag     [2]int // of the scalar, empty for none
	parent  int    // column of the key or the dash that the scalar belongs to, -1 where its line has neither
}

// typed are the tags that ask for something else than a text.
var typed = ascii.NewWords("!!int !!float !!bool !!null !!timestamp !!binary")

// flowState is what is open where a line of YAML begins.
type flowState struct {
	at    int  // the beginning of the line
	depth int  // of { and [
	quote byte // of a scalar that continues
	start int  // of the scalar that continues, where depth or quote is not 0
}

// readYAML reads the line up to at, and what is open from the lines above. Places are
// asked for in order, so that each line is read once.
func (w *placeholderWriter) readYAML(at int) yamlPlace {
	from := ascii.LineStart(w.text, at, ascii.MaxLine)
	if w.flow.at > from {
		w.flow = flowState{}
	}
	for w.flow.at < from {
		end := ascii.LineEnd(w.text, w.flow.at, ascii.MaxLine)
		_, w.flow = scanYAML(w.text, w.flow, end)
		w.flow.at = min(end+1, from)
		if end >= from {
			break
		}
	}
	y, _ := scanYAML(w.text, w.flow, at)
	return y
}

// scanYAML reads a line from what is open where it begins up to at.
func scanYAML(b []byte, open flowState, at int) (yamlPlace, flowState) {
	from := open.at
	i := ascii.Run(b, from, ascii.Blanks)
	if open.quote == 0 && i == from && i < len(b) && b[i] != '}' && b[i] != ']' && b[i] != '\n' {
		open = flowState{} // what begins at the margin is not part of a flow above
	}
	y := yamlPlace{start: i, parent: -1, quote: open.quote}
	if open.depth > 0 || open.quote != 0 {
		y.start = open.start
		if y.start > open.at-1 || b[y.start] == '\n' || b[y.start] == '\r' {
			y.start = i
		}
	}
	depth := open.depth
	for i < at {
		c := b[i]
		switch {
		case y.quote != 0:
			if c == '\\' && y.quote == '"' || c == '\'' && y.quote == c && i+1 < len(b) && b[i+1] == c {
				i++
			} else if c == y.quote {
				y.quote = 0
			}
		case (c == '"' || c == '\'') && i == y.start:
			y.quote = c
		case c == '#' && (i == from || ascii.Blanks[b[i-1]]):
			y.comment = true
			return y, flowState{depth: depth, start: at}
		case c == '!' && i == y.start && ascii.Run(b, i, ascii.TagBytesYAML) < at && ascii.JSONSpace[b[ascii.Run(b, i, ascii.TagBytesYAML)]]:
			y.tag = [2]int{i, ascii.Run(b, i, ascii.TagBytesYAML)}
			i = y.begin(ascii.Run(b, y.tag[1], ascii.JSONSpace))
			continue
		case c == '-' && i == y.start && i+1 < len(b) && b[i+1] == ' ':
			y.parent = i - from
			i = y.begin(ascii.Run(b, i+1, ascii.Blanks))
			continue
		case c == ':' && i+1 < len(b) && (b[i+1] == ' ' || b[i+1] == '\t'):
			if depth == 0 {
				y.parent = y.start - from
			}
			i = y.begin(ascii.Run(b, i+1, ascii.Blanks))
			continue
		case (c == '{' || c == '[') && (i == y.start || depth > 0):
			depth++
			i = y.begin(ascii.Run(b, i+1, ascii.Blanks))
			continue
		case (c == '}' || c == ']') && depth > 0:
			depth--
		case c == ',' && depth > 0:
			i = y.begin(ascii.Run(b, i+1, ascii.Blanks))
			continue
		}
		i++
	}
	y.flow = depth > 0
	if depth == 0 && y.quote == 0 {
		return y, flowState{}
	}
	return y, flowState{depth: depth, quote: y.quote, start: y.start}
}

// begin notes that the next scalar begins at at.
func (y *yamlPlace) begin(at int) int {
	y.start = at
	return at
}

// end is where the plain scalar that continues at at ends.
func (y yamlPlace) end(b []byte, at int) int {
	from := ascii.LineStart(b, y.start, ascii.MaxLine)
	for {
		end := y.lineScalarEnd(b, at)
		rest := ascii.Run(b, end, makeBlankEnd)
		if y.flow && rest < len(b) && b[rest] == '\n' {
			if next := ascii.Run(b, rest, ascii.JSONSpace); next < len(b) && b[next] != ',' && b[next] != '}' && b[next] != ']' && b[next] != '#' {
				at = next // a flow scalar continues past the end of a line
				continue
			}
		}
		if y.flow || rest < len(b) && b[rest] != '\n' || rest+1 >= len(b) {
			return end
		}
		// Deeper lines without a key of their own continue the scalar.
		text := ascii.Run(b, rest+1, ascii.Blanks)
		column := text - rest - 1
		if text >= len(b) || b[text] == '\n' || b[text] == '\r' || b[text] == '#' || column <= y.parent || y.parent < 0 &&
			(column < y.start-from || b[text] == '-') || isYAMLKey(b, text) {
			return end
		}
		at = text
	}
}

var makeBlankEnd = ascii.NewSet(" \t\r")

// isYAMLKey reports a line that begins with a key.
func isYAMLKey(b []byte, at int) bool {
	line := b[at:ascii.LineEnd(b, at, ascii.MaxLine)]
	if comment := bytes.Index(line, []byte(" #")); comment >= 0 {
		line = line[:comment]
	}
	return bytes.Contains(line, []byte(": ")) || bytes.HasSuffix(bytes.TrimRight(line, " \r"), []byte(":"))
}

// lineScalarEnd is where the scalar ends on the line of at: before a comment, a bracket
// of the flow, or the colon behind a key.
func (y yamlPlace) lineScalarEnd(b []byte, at int) int {
	end := at
	for i := at; i < len(b) && b[i] != '\n'; i++ {
		c := b[i]
		if c == '#' && i > 0 && ascii.Blanks[b[i-1]] || c == ':' && (i+1 >= len(b) || ascii.JSONSpace[b[i+1]]) ||
			y.flow && (c == ',' || c == '}' || c == ']') {
			break
		}
		if !ascii.JSONSpace[c] {
			end = i + 1
		}
	}
	return end
}
