package scrub

import (
	"bytes"
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
	line := ascii.Run(b[:min(len(b), start+maxEncoded)], end, encodedBytes)
	end = foldedEnd(b[:min(len(b), start+maxEncoded)], start, line)
	text := decoded(b[start:end])
	if text == nil && end > line { // what follows the line is something else
		end = line
		text = decoded(b[start:end])
	}
	s.encodedEnd = ascii.Run(b, end, padding)
	if text != nil {
		s.inside(text, start, s.encodedEnd)
	}
}

// A line of folded base64 has 64 letters in PEM (RFC 7468) and 76 in mail (RFC 2045); some programs choose another length.
const (
	foldedLeast = 40
	foldedMost  = 128
)

// foldedEnd is the end of a run that goes on in the next lines, which may stand behind the marks of a quote, a comment or an indentation.
// Only the last line is shorter than the first.
func foldedEnd(b []byte, start, end int) int {
	width := end - start
	for full := width >= foldedLeast && width <= foldedMost; full; {
		next := ascii.Run(b, end, foldBytes)
		stop := ascii.Run(b, next, encodedBytes)
		after := ascii.Run(b, ascii.Run(b, stop, padding), ascii.Blanks)
		if bytes.Count(b[end:next], []byte("\n")) != 1 || stop == next || stop-next > width || after < len(b) && !foldEnds[b[after]] {
			break
		}
		full, end = stop-next == width, stop
	}
	return end
}

var (
	encodedBytes = ascii.NewSet("a-zA-Z0-9+/_-")
	padding      = ascii.NewSet("=")
	foldBytes    = ascii.NewSet(" \t\r\n>#*|")
	foldEnds     = ascii.NewSet("\r\n\"'`|")
)

// toStandard writes the two letters that base64 has in URLs as others do, and joins folded lines.
var toStandard = strings.NewReplacer("-", "+", "_", "/", " ", "", "\t", "", "\r", "", "\n", "", ">", "", "#", "", "*", "", "|", "")

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
