package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/shape"
)

// Values in a frame of their own: an object, a list, struck out, one key of a connection string.

// maxElements bounds a list of values.
const maxElements = 100

// inFrame reads a value that does not stand barely at at. done says that there is nothing
// else to read.
func (r *values) inFrame(kind prose.Kind, f prose.Form, at int) (done, found bool) {
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
	case f != prose.Assigned:
	case rest[0] == '{' && redact.PlaceholderEnd(b, at) == 0:
		if p, g := prose.GapPair(r.text, at+1, min(len(b), at+prose.MaxGap)); g == prose.Assigned {
			return true, r.value(kind, prose.Assigned, p)
		}
	case rest[0] == '[' && redact.PlaceholderEnd(b, at) == 0:
		return r.elements(kind, at+1)
	}
	return false, false
}

// elements reads the strings of an array from behind its bracket.
func (r *values) elements(kind prose.Kind, at int) (done, found bool) {
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
		found = r.judge(kind, prose.Assigned, at+n, end, true) || found
		done, at = true, end+len(shut)
	}
	return done, found
}

var elementGap = ascii.NewSet(" ,\t\r\n")
