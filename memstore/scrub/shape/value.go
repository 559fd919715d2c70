// Package shape judges a value by itself: what it is made of, where it ends, whether a checksum holds, whether it
// reads as words or as an example.
//
// Nothing here knows what a text said in front of the value; a rule names its checks in [Checks].
package shape

import (
	"bytes"
	"unicode/utf8"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/view"
)

// MaxValue bounds a value that is not found by a pattern of its own.
const MaxValue = 1024

// quotePairs are what opens and closes a quoted value, as they appear in a view.
var quotePairs = []struct{ Open, shut string }{
	{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"\ue022", "\ue022"}, {"\ue027", "\ue027"},
	{"“", "”"}, {"„", "“"}, {"‘", "’"}, {"「", "」"}, {"『", "』"}, {"«", "»"}, {"‹", "›"}, {"【", "】"}, {"《", "》"},
}

// QuoteAt reads an opening quote; shut is "" for none.
func QuoteAt(b []byte, at int) (n int, shut string) {
	if at >= len(b) {
		return 0, ""
	}
	switch c := b[at]; {
	case c == '"' || c == '\'' || c == '`':
		return 1, string(rune(c))
	case c < 0x80:
		return 0, ""
	}
	for _, p := range quotePairs[3:] {
		if bytes.HasPrefix(b[at:], []byte(p.Open)) {
			return len(p.Open), p.shut
		}
	}
	return 0, ""
}

// QuotedEnd is the end of a quoted value that begins at at, -1 where the quote is not closed on the line. A quote behind a
// backslash belongs to the value if another one follows.
func QuotedEnd(b []byte, at int, shut string) int {
	end, line := -1, b[:ascii.LineEnd(b, at, MaxValue)]
	for from := at; end < at || end > at && line[end-1] == '\\'; from = end + len(shut) {
		i := bytes.Index(line[from:], []byte(shut))
		if i < 0 {
			break
		}
		end = from + i
	}
	return end
}

// BareEnd is the end of a value without quotes that begins at at. What may be part of a
// password in the middle of it ends it where a space or the end of the line follows.
func BareEnd(b []byte, at int) int {
	open := 0
	limit := min(len(b), at+MaxValue)
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
			n := Latin(b[i:])
			if n == 0 || bytes.HasPrefix(b[i:], closingTag) || bytes.HasPrefix(b[i:], []byte(quotePairs[3].Open)) &&
				!(i > at && ascii.Alnums[b[i-1]] && i+n < limit && ascii.Alnums[b[i+n]]) {
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
		case (c == ',' || c == ';' || c == '|' || c == '*') && LastBefore(b, i+1):
			return i
		case (c == ';' || c == ',' || c == '&' && at > 0 && b[at-1] == '=') && nextPair(b, i+1):
			return i
		}
		i++
	}
	return i
}

// closingTag begins the end of an element that the format escaped.
var closingTag = append([]byte(string(rune(view.InnerLess))), '/')

// lessInside reports a "<" between letters or digits that opens no tag.
func lessInside(b []byte, at, i int) bool {
	return i > at && lettersBoth(b, i) && bytes.IndexByte(b[i:ascii.LineEnd(b, i, 120)], '>') < 0
}

// plainInValue are the bytes that never end a value, whatever is beside them.
var plainInValue = ascii.NewSet("!#$%+./0-9:=?@A-Z^_a-z~-")

// nextPair reports whether the next key of a connection string or a query begins at i.
func nextPair(b []byte, i int) bool {
	end := ascii.Run(b[:min(len(b), i+32)], i, pairNames)
	return end > i && end < len(b) && b[end] == '='
}

// pairNames are what the keys of connection strings and queries are made of.
var pairNames = ascii.NewSet("a-zA-Z_ .-")

// LastBefore reports whether a value cannot continue at i: white space, a quote, a second mark or the end.
func LastBefore(b []byte, i int) bool {
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
	return i > 0 && i+1 < len(b) && ascii.Alnums[b[i-1]] && ascii.Alnums[b[i+1]]
}

// Latin is the length of a character that a European password may hold: a letter with a
// mark, a sign of Latin-1, or one that the format escaped. 0 for all others.
func Latin(b []byte) int {
	r, n := utf8.DecodeRune(b)
	switch {
	case r == utf8.RuneError:
		return 0
	case r >= 0x370 && r <= 0x52f, r >= 0xa1 && r <= 0x24f && r != 0xab && r != 0xbb && r != 0xb7, r == '€':
		return n
	case r == view.InnerQuote || r == view.InnerApostrophe || r == view.InnerLess || r == view.InnerGreater:
		return n
	}
	return 0
}

// Trimmed takes the marks of the sentence off the end of a bare value.
func Trimmed(b []byte, at, end int, password bool) int {
	for end > at {
		switch b[end-1] {
		case '.', ',', ';', ':', '|', '\\', '(', '[', '{':
		case '!', '?':
			if password {
				return end
			}
		case '*', '_', '~':
			if !LastBefore(b, end) {
				return end
			}
		default:
			return end
		}
		end--
	}
	return end
}

// Shape counts what a value is made of.
type Shape struct {
	Lower, Upper, Digit, Symbol, Other int
	// Soft counts the signs that also join words: - _ . / '
	Soft int
}

// Of counts what a value is made of.
func Of(b []byte) Shape {
	var s Shape
	for _, c := range b {
		switch {
		case ascii.Lowers[c]:
			s.Lower++
		case ascii.Uppers[c]:
			s.Upper++
		case ascii.Digits[c]:
			s.Digit++
		case c >= 0x80:
			s.Other++
		case c == '-' || c == '_' || c == '.' || c == '/' || c == '\'':
			s.Soft++
		default:
			s.Symbol++
		}
	}
	return s
}

// Letters is how many ASCII letters there are.
func (s Shape) Letters() int { return s.Lower + s.Upper }

// Kinds is how many of lower, upper, digit and symbol occur.
func (s Shape) Kinds() int {
	n := 0
	for _, c := range []int{s.Lower, s.Upper, s.Digit, s.Symbol + s.Soft} {
		if c > 0 {
			n++
		}
	}
	return n
}
