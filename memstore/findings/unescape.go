package findings

import (
	"bytes"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// unescaped returns a text in which characters stand for themselves that JSON escapes without need; nil if it has none. What is valid JSON
// stays so, with the same values.
func unescaped(text []byte) []byte {
	var out []byte
	from := 0
	for at := bytes.IndexByte(text, '\\'); at >= 0 && at+1 < len(text); {
		size := 2 // an escape that stays
		if r, n := escapedRune(text[at:]); n > 0 {
			out = utf8.AppendRune(append(out, text[from:at]...), r)
			size, from = n, at+n
		}
		next := bytes.IndexByte(text[at+size:], '\\')
		if next < 0 {
			break
		}
		at += size + next
	}
	if out == nil {
		return nil
	}
	return append(out, text[from:]...)
}

// escapedRune reads a needless escape at the start of a text; n is its length, 0 if there is none.
func escapedRune(text []byte) (r rune, n int) {
	if text[1] == '/' {
		return '/', 2
	}
	r, ok := escapedUnit(text)
	if n = 6; ok && utf16.IsSurrogate(r) && len(text) >= 12 {
		low, also := escapedUnit(text[6:])
		r, n, ok = utf16.DecodeRune(r, low), 12, also
	}
	if !ok || r == unicode.ReplacementChar || r == '"' || r == '\\' || unicode.IsControl(r) || utf16.IsSurrogate(r) {
		return 0, 0
	}
	return r, n
}

func escapedUnit(text []byte) (r rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(unit), err == nil
}
