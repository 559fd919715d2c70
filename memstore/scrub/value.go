package scrub

import (
	"bytes"
	"unicode/utf8"
)

// maxValue bounds a value that is not found by a pattern of its own.
const maxValue = 1024

// quotePairs are what opens and closes a quoted value, as they stand in a view.
var quotePairs = []struct{ open, shut string }{
	{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"\ue022", "\ue022"}, {"\ue027", "\ue027"},
	{"“", "”"}, {"„", "“"}, {"‘", "’"}, {"「", "」"}, {"『", "』"}, {"«", "»"}, {"‹", "›"}, {"【", "】"}, {"《", "》"},
}

// quoteAt reads an opening quote; shut is "" where there is none. A quote inside a quoted
// text may have backslashes before it.
func quoteAt(b []byte, at int) (n int, shut string) {
	if at >= len(b) {
		return 0, ""
	}
	if b[at] == '\\' {
		n = escapedQuote(b, at)
		return n, string(b[at : at+n])
	}
	switch c := b[at]; {
	case c == '"' || c == '\'' || c == '`':
		return 1, string(rune(c))
	case c < 0x80:
		return 0, ""
	}
	for _, p := range quotePairs[3:] {
		if bytes.HasPrefix(b[at:], []byte(p.open)) {
			return len(p.open), p.shut
		}
	}
	return 0, ""
}

// escapedQuote is the length of a quote with backslashes before it at at, as texts inside
// the strings of a program have them; 0 where there is none.
func escapedQuote(b []byte, at int) int {
	i := at
	for i < len(b) && b[i] == '\\' && i-at < 7 {
		i++
	}
	switch {
	case i == at || i == len(b):
	case b[i] == '"':
		return i + 1 - at
	case bytes.HasPrefix(b[i:], []byte(quotePairs[3].open)):
		return i + len(quotePairs[3].open) - at
	}
	return 0
}

// quoted is the end of a quoted value that begins at at, -1 where the quote is not closed on the line.
func quoted(b []byte, at int, shut string) int {
	end := bytes.Index(b[at:min(len(b), at+maxValue)], []byte(shut))
	if end < 0 || bytes.IndexByte(b[at:at+end], '\n') >= 0 {
		return -1
	}
	return at + end
}

// bareEnd is the end of a value without quotes that begins at at. What may be part of a
// password in the middle of it ends it where a space or the end of the line follows.
func bareEnd(b []byte, at int) int {
	open := 0
	limit := min(len(b), at+maxValue)
	i := at
	for i < limit {
		c := b[i]
		if plainInValue[c] {
			i++
			continue
		}
		switch {
		case c <= ' ' || c == '"' || c == '`' || c == '<' && !lessInside(b, at, i) || c == '>' || c == 0x7f:
			return i
		case c >= 0x80:
			n := latin(b[i:])
			if n == 0 || bytes.HasPrefix(b[i:], []byte(quotePairs[3].open)) && !(i > at && alnums[b[i-1]] && i+n < limit && alnums[b[i+n]]) {
				return i
			}
			i += n
			continue
		case c == '\'' && i > at && !lettersBoth(b, i):
			return i
		case c == '(' || c == '[' || c == '{':
			open++
		case c == ')' || c == ']' || c == '}':
			if open--; open < 0 {
				return i
			}
		case c == '\\' && i+1 < limit && (b[i+1] == 'n' || b[i+1] == 'r' || b[i+1] == 't' || b[i+1] == '"'):
			return i
		case (c == ',' || c == ';' || c == '|' || c == '*') && lastBefore(b, i+1):
			return i
		case (c == ';' || c == ',' || c == '&' && at > 0 && b[at-1] == '=') && nextPair(b, i+1):
			return i
		}
		i++
	}
	return i
}

// lessInside reports a "<" between letters or digits that opens no tag.
func lessInside(b []byte, at, i int) bool {
	return i > at && lettersBoth(b, i) && bytes.IndexByte(b[i:lineEnd(b, i, 120)], '>') < 0
}

// plainInValue are the bytes that end no value, whatever stands beside them.
var plainInValue = makeSet("!#$%+./0-9:=?@A-Z^_a-z~-")

// nextPair reports whether the next key of a connection string or a query begins at i.
func nextPair(b []byte, i int) bool {
	end := run(b[:min(len(b), i+32)], i, pairNames)
	return end > i && end < len(b) && b[end] == '='
}

var pairNames = makeSet("a-zA-Z_ .-")

// lastBefore reports whether a value cannot go on at i: white space, a quote, a second mark or the end.
func lastBefore(b []byte, i int) bool {
	if i >= len(b) {
		return true
	}
	switch b[i] {
	case ' ', '\t', '\n', '\r', '"', '\'', '`', '*', '|', ',', ';', ')', '<', '\\':
		return true
	}
	return b[i] >= 0x80
}

func lettersBoth(b []byte, i int) bool {
	return i > 0 && i+1 < len(b) && alnums[b[i-1]] && alnums[b[i+1]]
}

// latin is the length of a character that a European password may hold: a letter with a
// mark, a sign of Latin-1, or one that the format escaped. 0 for all others.
func latin(b []byte) int {
	r, n := utf8.DecodeRune(b)
	switch {
	case r == utf8.RuneError:
		return 0
	case r >= 0x370 && r <= 0x52f, r >= 0xa1 && r <= 0x24f && r != 0xab && r != 0xbb && r != 0xb7, r == '€':
		return n
	case r == innerQuote || r == innerApostrophe || r == innerLess || r == innerGreater:
		return n
	}
	return 0
}

// trimmed takes the marks of the sentence off the end of a bare value.
func trimmed(b []byte, at, end int, password bool) int {
	for end > at {
		switch b[end-1] {
		case '.', ',', ';', ':', '|', '\\', '(', '[', '{':
		case '!', '?':
			if password {
				return end
			}
		case '*', '_', '~':
			if !lastBefore(b, end) {
				return end
			}
		default:
			return end
		}
		end--
	}
	return end
}

// shape counts what a value is made of.
type shape struct {
	lower, upper, digit, symbol, other int
	// soft counts the signs that also join words: - _ . / '
	soft int
}

func shapeOf(b []byte) shape {
	var s shape
	for _, c := range b {
		switch {
		case lowers[c]:
			s.lower++
		case uppers[c]:
			s.upper++
		case digits[c]:
			s.digit++
		case c >= 0x80:
			s.other++
		case c == '-' || c == '_' || c == '.' || c == '/' || c == '\'':
			s.soft++
		default:
			s.symbol++
		}
	}
	return s
}

func (s shape) letters() int { return s.lower + s.upper }

// kinds is how many of lower, upper, digit and symbol occur.
func (s shape) kinds() int {
	n := 0
	for _, c := range []int{s.lower, s.upper, s.digit, s.symbol + s.soft} {
		if c > 0 {
			n++
		}
	}
	return n
}
