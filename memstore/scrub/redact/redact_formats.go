package redact

import (
	"bytes"
	"strconv"

	"memcurator/memstore/scrub/ascii"
)

// inStrings puts edits of a JSON text into its strings: a number becomes a string, a
// span over several strings empties each of them and leaves what stands between.
func (w *placeholderWriter) inStrings(edits []Edit) []Edit {
	var out []Edit
	l := jsonLexer{text: w.text}
	keys := map[string]int{}
	for _, ed := range edits {
		for _, p := range l.pieces(ed.Start, ed.End) {
			one := ed
			one.Start, one.End = p.start, p.end
			if p.bare {
				one.Text = `"` + ed.Text + `"`
			}
			if p.key {
				keys[ed.Text]++
				if n := keys[ed.Text]; n > 1 {
					one.Text = ed.Text + ":" + strconv.Itoa(n)
				}
			}
			out = append(out, one)
		}
	}
	return out
}

// jsonLexer knows what is string and what is not, in one walk over the text.
type jsonLexer struct {
	text []byte
	at   int
	in   bool // at is inside a string
	stop int  // where the string ends that was looked at last
}

// jsonPiece is a part of a span that can be replaced: inside a string, or a bare word.
type jsonPiece struct {
	start, end int
	bare, key  bool
}

// advance walks to stop.
func (l *jsonLexer) advance(stop int) {
	for l.at < stop {
		switch c := l.text[l.at]; {
		case c == '\\' && l.in:
			l.at++
		case c == '"':
			l.in = !l.in
		case c == '\n' && l.in: // no string of JSON holds one: broken text, start over
			l.in = false
		}
		l.at++
	}
}

// pieces are the parts of a span. Calls come in order.
func (l *jsonLexer) pieces(start, end int) []jsonPiece {
	l.advance(start)
	var out []jsonPiece
	for at := start; at < end; {
		if l.in {
			to := l.stringEnd(at, end)
			if to > at {
				out = append(out, jsonPiece{start: at, end: to, key: l.isKey(to)})
			}
			at = max(to, at+1)
			l.advance(at)
			continue
		}
		c := l.text[at]
		if ascii.Alnums[c] || c == '-' || c == '+' {
			to := ascii.Run(l.text, at, jsonWord)
			from := ascii.RunBack(l.text, at, jsonWord, 64)
			out = append(out, jsonPiece{start: from, end: to, bare: true})
			at = to
		} else {
			at++
		}
		l.advance(at)
	}
	return out
}

var jsonWord = ascii.NewSet("a-zA-Z0-9+.-")

// stringEnd is the end of the string around at, at most end.
func (l *jsonLexer) stringEnd(at, end int) int {
	for at < end && l.text[at] != '"' {
		if l.text[at] == '\\' {
			at++
		}
		at++
	}
	return min(at, len(l.text))
}

// isKey reports whether the string that continues at at is followed by a colon.
func (l *jsonLexer) isKey(at int) bool {
	if at > l.stop { // else a part before this one has found it
		l.stop = l.stringEnd(at, len(l.text))
	}
	end := l.stop
	if end >= len(l.text) {
		return false
	}
	i := ascii.Run(l.text, end+1, ascii.JSONSpace)
	return i < len(l.text) && l.text[i] == ':'
}

// bareNumber recognises a number in a snippet of JSON inside other text: `"pin": 4821,`.
func bareNumber(b []byte, start, end int) bool {
	i := start
	for i > 0 && (b[i-1] == ' ' || b[i-1] == '\t') {
		i--
	}
	if i < 2 || b[i-1] != ':' || b[i-2] != '"' || ascii.Run(b, start, jsonWord) < end {
		return false
	}
	j := ascii.Run(b, end, ascii.JSONSpace)
	return j >= len(b) || b[j] == ',' || b[j] == '}' || b[j] == ']'
}

// tomlKey reports whether what ends at at is a key of TOML.
func tomlKey(b []byte, at int) bool {
	if at < len(b) && (b[at] == '"' || b[at] == '\'') {
		at++
	}
	at = ascii.Run(b, at, ascii.Blanks)
	return at+1 < len(b) && b[at] == '=' && b[at+1] != '='
}

// tomlBare recognises a value of TOML that is not a string.
func (w *placeholderWriter) tomlBare(start, end int) bool {
	b := w.text
	i := start
	for i > 0 && (b[i-1] == ' ' || b[i-1] == '\t') {
		i--
	}
	return i > 0 && (b[i-1] == '=' || b[i-1] == '[' || b[i-1] == ',') && ascii.Run(b, start, jsonWord) >= end && !w.quotes.opened(b, start)
}

// insideTag reports whether at is in a tag but not in an attribute's value: what is put
// there would break it.
func insideTag(b []byte, at int) bool {
	open := bytes.LastIndexByte(b[max(0, at-maxTagText):at], '<')
	if open < 0 {
		return false
	}
	i := max(0, at-maxTagText) + open + 1
	end := ascii.Run(b, i, tagNames)
	if end == i {
		return false // a comment, a section of text, a sign in the text
	}
	for i = end; i < at; {
		i = ascii.Run(b, i, ascii.JSONSpace)
		name := ascii.Run(b, i, tagNames)
		if i >= at || name >= at {
			return true
		}
		mark := ascii.Run(b, name, attributeMarks)
		if name == i || mark >= len(b) || mark == name || b[mark] != '"' && b[mark] != '\'' {
			return false
		}
		if mark >= at {
			return true
		}
		shut := bytes.IndexByte(b[mark+1:at], b[mark])
		if shut < 0 {
			return false // in the value
		}
		i = mark + 1 + shut + 1
	}
	return true
}

// maxTagText bounds a tag, in bytes.
const maxTagText = 4 << 10

var (
	tagNames       = ascii.NewSet("a-zA-Z0-9_:.-")
	attributeMarks = ascii.NewSet("= \t\r\n")
)

// quotes is how far a line of TOML was read for texts in double quotes. Places are asked
// for in order, so that no line is read twice.
type quotes struct {
	at   int
	open bool
}

// opened reports whether a text in double quotes is open at at, in its line.
func (q *quotes) opened(b []byte, at int) bool {
	if q.at > at || bytes.IndexByte(b[q.at:at], '\n') >= 0 {
		*q = quotes{at: ascii.LineStart(b, at, ascii.MaxLine)}
	}
	for ; q.at < at; q.at++ {
		switch {
		case b[q.at] == '\\' && q.open:
			q.at++
		case b[q.at] == '"':
			q.open = !q.open
		}
	}
	return q.open
}

// placeXML keeps tags: a span that runs into one ends before it, and resumes after it.
func (w *placeholderWriter) placeXML(ed Edit) {
	if insideTag(w.text, ed.Start) {
		return
	}
	for at := ed.Start; at < ed.End; {
		tag := bytes.IndexAny(w.text[at:ed.End], "<>")
		to := ed.End
		if tag >= 0 {
			to = at + tag
		}
		if part := ed; to > at && len(bytes.TrimSpace(w.text[at:to])) > 0 {
			part.Start, part.End = at, to
			w.edits = append(w.edits, part)
		}
		if tag < 0 {
			return
		}
		shut := bytes.IndexByte(w.text[to:ed.End], '>')
		if shut < 0 {
			return
		}
		at = to + shut + 1
	}
}
