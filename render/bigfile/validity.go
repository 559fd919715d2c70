package bigfile

import "unicode/utf8"

// validity finds the first byte that is not UTF-8 in a text that arrives in chunks. It is a value, so that an index can be copied.
type validity struct {
	first   int64 // offset of the first invalid byte; -1: none so far
	pending [utf8.UTFMax]byte
	n       int   // bytes in pending: the start of a sequence that the last chunk cut
	off     int64 // where pending is in the text
}

// firstInvalid is the result so far. At the end of the text an incomplete sequence is invalid; it may become valid when the text grows.
func (v *validity) firstInvalid(end bool) int64 {
	if v.first < 0 && end && v.n > 0 {
		return v.off
	}
	return v.first
}

// feed processes the next chunk, which is at off in the text.
func (v *validity) feed(b []byte, off int64) {
	if v.first >= 0 {
		return
	}
	for v.n > 0 {
		if len(b) == 0 {
			return
		}
		v.pending[v.n] = b[0]
		if !utf8.FullRune(v.pending[:v.n+1]) {
			v.n++
			b, off = b[1:], off+1
			continue
		}
		if _, w := utf8.DecodeRune(v.pending[:v.n+1]); w != v.n+1 {
			v.first = v.off
			return
		}
		v.n = 0
		b, off = b[1:], off+1
	}
	whole := len(b) - cut(b)
	if !utf8.Valid(b[:whole]) {
		v.first = off + int64(invalidAt(b))
		return
	}
	v.n = copy(v.pending[:], b[whole:])
	v.off = off + int64(whole)
}

// cut returns how many bytes at the end of b begin an incomplete sequence.
func cut(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// invalidAt returns the offset of the first invalid byte of b, which must have one.
func invalidAt(b []byte) int {
	for i := 0; i < len(b); {
		r, w := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && w == 1 {
			return i
		}
		i += w
	}
	return len(b)
}
