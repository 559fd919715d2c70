package redact

import (
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
