package rawjson

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text decodes a string; "" for every other value. Half a surrogate pair and bytes that are no
// UTF-8 become U+FFFD.
func (v Value) Text() string {
	inside, plain, ok := v.inside()
	if !ok || plain {
		return string(inside)
	}
	var b strings.Builder
	b.Grow(len(inside))
	if !unescape(&b, inside) {
		return ""
	}
	return b.String()
}

// TextBytes is Text as bytes, which may alias v and must not be changed.
func (v Value) TextBytes() []byte {
	inside, plain, ok := v.inside()
	if !ok || plain {
		return inside
	}
	var b bytes.Buffer
	b.Grow(len(inside))
	if !unescape(&b, inside) {
		return nil
	}
	return b.Bytes()
}

// inside is what stands between the quotes of a string; plain: it is its text as it stands. ok is false where v is
// no string; then inside is nil.
func (v Value) inside() (inside []byte, plain, ok bool) {
	if len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return nil, false, false
	}
	inside = v[1 : len(v)-1]
	if !utf8.Valid(inside) {
		var s string
		if json.Unmarshal(v, &s) != nil {
			return nil, false, false
		}
		return []byte(s), true, true
	}
	return inside, special(inside, 0) == len(inside), true
}

// unescape writes the text of a string that is UTF-8. False: it is not a string; what was written is of no use then.
func unescape(w io.Writer, inside []byte) bool {
	var room [4 << 10]byte
	out := room[:0]
	for i := 0; i < len(inside); {
		next := special(inside, i)
		if next-i > len(room)-len(out)-utf8.UTFMax {
			_, _ = w.Write(out)            // memory never fails
			_, _ = w.Write(inside[i:next]) // nor here
			out = room[:0]
		} else {
			out = append(out, inside[i:next]...)
		}
		if i = next; i == len(inside) {
			break
		}
		n := 0
		if out, n = appendEscaped(out, inside[i:]); n == 0 {
			return false
		}
		i += n
	}
	_, _ = w.Write(out)
	return true
}

// appendEscaped appends the character that an escape encodes; n is the length of the escape, 0 for none.
func appendEscaped(out, p []byte) (_ []byte, n int) {
	if n = escapeLen(p); n == 0 {
		return out, 0
	}
	switch c := p[1]; c {
	case 'b':
		return append(out, '\b'), n
	case 'f':
		return append(out, '\f'), n
	case 'n':
		return append(out, '\n'), n
	case 'r':
		return append(out, '\r'), n
	case 't':
		return append(out, '\t'), n
	case 'u':
	default:
		return append(out, c), n
	}
	r, _ := hexUnit(p)
	if utf16.IsSurrogate(r) {
		low, _ := hexUnit(p[n:]) // 0 is not a half
		if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
			n += 6
		}
	}
	return utf8.AppendRune(out, r), n
}
