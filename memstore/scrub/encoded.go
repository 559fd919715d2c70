package scrub

import (
	"encoding/base64"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/view"
)

// maxEncoded bounds an encoded run, in bytes.
const maxEncoded = 256 << 10

// encoded looks at a long word of letters and digits for the beginning of a text in base64. If the text holds something sensitive
// the whole run goes.
func (s *scan) encoded(start, end int) {
	b := s.text
	if s.isDecoded || start < s.encodedEnd || decoded(b[start:start+min(end-start, 32)&^3]) == nil {
		return
	}
	end = ascii.Run(b[:min(len(b), start+maxEncoded)], end, encodedBytes)
	s.encodedEnd = ascii.Run(b, end, padding)
	if text := decoded(b[start:end]); text != nil {
		s.inside(text, start, s.encodedEnd)
	}
}

var (
	encodedBytes = ascii.NewSet("a-zA-Z0-9+/_-")
	padding      = ascii.NewSet("=")
)

// toStandard are the two letters of base64 in URLs as others write them.
var toStandard = strings.NewReplacer("-", "+", "_", "/")

// decoded is the text that a run encodes, nil where it is none. A group that is cut off at its end is left out.
func decoded(v []byte) []byte {
	text, _ := base64.RawStdEncoding.DecodeString(toStandard.Replace(string(v)))
	if !printable(text) {
		return nil
	}
	return text
}

// inside scans decoded text; the surest finding in it names what the whole run is.
func (s *scan) inside(text []byte, start, end int) {
	v := view.New(text, view.FormatOf("", text))
	inner := newScan(s.ctx, s.e, v.Text, view.Plain)
	inner.isDecoded = true
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
	s.propose(best.rule, best.evidence, start, end, best.score)
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
	return len(b) > 0 && other*10 <= len(b)
}
