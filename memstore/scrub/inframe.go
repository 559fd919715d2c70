package scrub

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/shape"
)

// Values in a frame of their own: an object, a list, struck out, one key of a connection string.

// maxElements bounds a list of values.
const maxElements = 100

// inFrame reads a value that does not stand barely at at. done says that there is nothing
// else to read.
func (r *values) inFrame(kind cueKind, f form, at int) (done, found bool) {
	b := r.text
	if len(b)-at < 2 {
		return false, false
	}
	switch rest := b[at:]; {
	case bytes.HasPrefix(rest, []byte("~~")): // the old value, struck out, before the new one
		end := bytes.Index(rest[2:ascii.LineEnd(rest, 0, shape.MaxValue)], []byte("~~"))
		if end < 1 {
			return false, false
		}
		old := r.judge(kind, f, at+2, at+2+end, false)
		return true, r.value(kind, f, ascii.Run(b, at+end+4, ascii.Blanks)) || old
	case bytes.HasPrefix(rest, []byte("||")) && len(rest) > 2 && rest[2] > ' ': // hidden until it is clicked
		end := bytes.Index(rest[2:ascii.LineEnd(rest, 0, shape.MaxValue)], []byte("||"))
		return end > 0, end > 0 && r.judge(kind, f, at+2, at+2+end, false)
	case f != formAssigned:
	case rest[0] == '{' && redact.PlaceholderEnd(b, at) == 0:
		if p, g := gapPair(r.text, at+1, min(len(b), at+maxGap)); g == formAssigned {
			return true, r.value(kind, formAssigned, p)
		}
	case rest[0] == '[' && redact.PlaceholderEnd(b, at) == 0:
		return r.elements(kind, at+1)
	}
	return false, false
}

// elements reads the strings of an array from behind its bracket.
func (r *values) elements(kind cueKind, at int) (done, found bool) {
	b := r.text
	for range maxElements {
		at = ascii.Run(b, at, elementGap)
		n, shut := shape.QuoteAt(b, at)
		if n == 0 {
			break
		}
		end := shape.QuotedEnd(b, at+n, shut)
		if end < 0 {
			break
		}
		found = r.judge(kind, formAssigned, at+n, end, true) || found
		done, at = true, end+len(shut)
	}
	return done, found
}

var elementGap = ascii.NewSet(" ,\t\r\n")

// wideWord is the end of a word in a script without ASCII letters and a number, which
// fill the rest of a line; 0 where there is none, or the number is a year.
func wideWord(b []byte, at int) int {
	i := at
	for i < len(b) && b[i] >= 0x80 && i-at < 40 {
		r, n := utf8.DecodeRune(b[i:])
		if !unicode.IsLetter(r) {
			return 0
		}
		i += n
	}
	end := ascii.Run(b, i, ascii.Digits)
	if n := end - i; i == at || n < 3 || n == 4 && (hasLiteral(b, i, "19") || hasLiteral(b, i, "20")) {
		return 0
	}
	if end < len(b) && b[end] != '\n' && b[end] != '\r' {
		return 0
	}
	return end
}

// inConnection reports the value of a key in a connection string: whatever stands there
// is the password.
func (p *announcement) inConnection(kind cueKind, at, end int) bool {
	b := p.text
	v := b[at:end]
	if kind != cuePassword || len(v) < 4 || at == 0 || b[at-1] != '=' || shape.IsDummy(v) || p.isStop(v) || notASecret(v) ||
		isBracketed(v) || bytes.IndexByte(v, ' ') >= 0 {
		return false
	}
	key := ascii.RunBack(b, at-1, shape.PairNames, 32)
	before := key > 0 && b[key-1] == ';' && shape.NextPair(b, key)
	after := end+1 < len(b) && (b[end] == ';' || b[end] == ' ') && shape.NextPair(b, end+1) && b[end+1] != ' '
	return before && (after || shape.LastBefore(b, end)) || after && (b[end] == ';' || ascii.HasFold(b[end+1:], "sslmode") ||
		ascii.HasFold(b[end+1:], "host") || ascii.HasFold(b[end+1:], "dbname"))
}
