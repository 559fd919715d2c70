package prose

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// called reports a name with a bracket directly behind: a function of a program.
func called(v []byte) bool {
	rest := v[:cap(v)][len(v):]
	return len(rest) > 0 && rest[0] == '(' && ascii.Run(v, 0, ascii.NameBytes) == len(v) && shape.Of(v).Digit < 2
}

// EndsLine is set where nothing follows the value; the caller's value is a slice of the text.
func EndsLine(v []byte) bool {
	rest := v[:cap(v)][len(v):]
	for _, c := range rest[:min(len(rest), 8)] {
		switch c {
		case '\n':
			return true
		case ' ', '\t', '\r', '*', '`', '"':
		default:
			return false
		}
	}
	return len(rest) < 8
}

// EndsClause reports whether a sentence, a part of it or the line ends after the value, or
// continues with a word for when or where it applies.
func EndsClause(v []byte) bool {
	rest := v[:cap(v)][len(v):]
	rest = bytes.TrimLeft(rest[:min(len(rest), 40)], "`\"'*_)]」』”»")
	if bytes.HasPrefix(rest, []byte("  ")) {
		return true
	}
	if len(rest) == 0 || rest[0] != ' ' {
		return len(rest) == 0 || !ascii.Alnums[rest[0]] && rest[0] != '-' && rest[0] != '/'
	}
	rest = bytes.TrimLeft(rest, " ")
	end := WordEnd(rest, 0)
	return end == 0 && (len(rest) == 0 || !ascii.Digits[rest[0]]) || onwards.Has(rest[:end])
}

// onwards are words that may follow a value in its sentence.
var onwards = ascii.NewWords(`yesterday today tonight tomorrow last this is was gestern heute hier aujourd ayer hoy for on at in until
 till and but now since from to or if when again please only as bis für auf und im pour sur et jusqu para en y hasta until`)
