package scrub

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"unicode/utf8"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/view"
)

// encodings reads text in base64, hex or with percent signs, and scans what it says.
type encodings struct {
	reader
	depth   int // how often the text was decoded
	longEnd int // of the run that was read last
}

// maxEncoded bounds the text behind one encoded run, in bytes.
const maxEncoded = 256 << 10

// long looks at a long word of letters and digits for the beginning of a text in base64 or hex. The word may begin at any of
// the four letters of a group. If the text holds something sensitive the whole run goes.
func (r *encodings) long(start, end int) {
	if r.depth >= maxDepth || start < r.longEnd {
		return
	}
	b := r.text
	for from := start; from < start+4; from++ {
		if decodeRun(b[from:from+min(end-from, 32)&^3]) == nil {
			continue
		}
		if from > start {
			start = ascii.RunBack(b, start, encodedBytes, 64)
		}
		r.longEnd = foldedEnd(b, end)
		if text := decodeRun(b[from:r.longEnd]); text != nil {
			r.inside(text, start, r.longEnd)
		}
		return
	}
}

// foldedEnd is the end of a run that goes on at at, over the ends of its lines and what a quote or an indentation puts before the
// next one.
func foldedEnd(b []byte, at int) int {
	b = b[:min(len(b), at+maxEncoded)]
	end := ascii.Run(b, at, encodedBytes)
	for end < len(b) && end-ascii.LineStart(b, end, 60) >= 60 {
		next := ascii.Run(b, end, foldBytes)
		stop := ascii.Run(b, next, encodedBytes)
		after := ascii.Run(b, stop, ascii.Blanks)
		if bytes.Count(b[end:next], []byte("\n")) != 1 || stop == next || after < len(b) && !foldEnds[b[after]] {
			break
		}
		end = stop
	}
	return ascii.Run(b, end, padding)
}

var (
	encodedBytes = ascii.NewSet("a-zA-Z0-9+/_-")
	foldBytes    = ascii.NewSet(" \t\r\n>#*|\\")
	foldEnds     = ascii.NewSet("\r\n=\"'`\\")
	padding      = ascii.NewSet("=")
)

// decodeRun is the text that a run encodes, nil where it is none. A group that is cut off at its end is left out.
func decodeRun(v []byte) []byte {
	out := make([]byte, 0, len(v))
	for _, c := range v {
		switch {
		case c == '-':
			c = '+'
		case c == '_':
			c = '/'
		case foldBytes[c] || c == '=':
			continue
		}
		out = append(out, c)
	}
	if ascii.Run(out, 0, ascii.Hexes) == len(out) {
		text := make([]byte, len(out)/2)
		if _, err := hex.Decode(text, out[:len(out)&^1]); err == nil && printable(text) {
			return text
		}
	}
	n, _ := base64.RawStdEncoding.Decode(out, out)
	if !printable(out[:n]) {
		return nil
	}
	return out[:n]
}

// inside scans decoded text; the surest finding in it names what the whole run is.
func (r *encodings) inside(text []byte, start, end int) {
	v := view.New(text, view.FormatOf("", text))
	inner := newScan(r.in.ctx, r.in.e, v.Text, view.Plain, r.depth+1)
	found := inner.all()
	if len(found) == 0 {
		return
	}
	best := found[0]
	for _, c := range found {
		if c.score > best.score {
			best = c
		}
	}
	r.found.propose(best.rule, best.evidence, start, end, best.score)
}

// printable reports text: no control bytes, and ASCII except for one in ten.
func printable(b []byte) bool {
	other := 0
	for _, c := range b {
		switch {
		case c < ' ' && c != '\n' && c != '\r' && c != '\t', c == 0x7f:
			return false
		case c >= 0x80:
			other++
		}
	}
	return len(b) > 0 && (other*10 <= len(b) || other*2 <= len(b) && utf8.Valid(b))
}
