package scrub

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"

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

// long looks at a long run of letters and digits for text in base64 or hex. If it holds
// something sensitive the whole run goes.
func (r *encodings) long(start, end int) {
	if r.depth >= maxDepth || start < r.longEnd {
		return
	}
	b := r.text
	start = ascii.RunBack(b, start, encodedBytes, 4)
	end = ascii.Run(b, end, encodedBytes)
	width := end - start
	for end < len(b) && b[end] == '\n' && b[end-1] != '=' && width%4 == 0 && width >= 60 && end-start < maxEncoded { // wrapped
		next := ascii.Run(b, end+1, encodedBytes)
		if next-end < 4 || next-end-1 > width || next-end-1 < width && (next-end-1)%4 != 0 {
			break
		}
		end = next
	}
	r.longEnd = end
	if end-start < 24 || end-start > maxEncoded {
		return
	}
	v := bytes.ReplaceAll(b[start:end], []byte("\n"), nil)
	if text := decodeRun(v); text != nil {
		r.inside(text, start, end)
	}
}

var encodedBytes = ascii.NewSet("a-zA-Z0-9+/=_-")

// decodeRun is the text that a run encodes, nil where it is none. The beginning decides.
func decodeRun(v []byte) []byte {
	if ascii.Run(v, 0, ascii.Hexes) == len(v) && len(v)%2 == 0 {
		out := make([]byte, len(v)/2)
		if _, err := hex.Decode(out, v); err == nil && printable(out) {
			return out
		}
	}
	v = bytes.TrimRight(v, "=")
	encoding := base64.RawStdEncoding
	if bytes.ContainsAny(v, "-_") {
		encoding = base64.RawURLEncoding
	}
	head := make([]byte, 24)
	n, err := encoding.Decode(head, v[:min(len(v)&^3, 32)])
	if err != nil || !printable(head[:n]) && !wideText(head[:n]) {
		return nil
	}
	out := make([]byte, encoding.DecodedLen(len(v)))
	if n, err = encoding.Decode(out, v); err != nil {
		return nil
	}
	out = out[:n]
	if wideText(out) {
		return view.New(out[:len(out)&^1], view.Plain).Text
	}
	if !printable(out) {
		return nil
	}
	return out
}

// wideText recognises UTF-16 without a mark, as shells of Windows encode commands.
func wideText(b []byte) bool {
	_, ok := view.UTF16Order(b[:len(b)&^1])
	return ok
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

// percent looks at a run with percent signs for text behind them.
func (r *encodings) percent(at int) {
	b := r.text
	if r.depth >= maxDepth || at < r.longEnd || at+2 >= len(b) || !ascii.Hexes[b[at+1]] || !ascii.Hexes[b[at+2]] {
		return
	}
	start, end := ascii.RunBack(b, at, percentBytes, 512), ascii.Run(b, at, percentBytes)
	r.longEnd = end
	if end-start < 10 || end-start > maxEncoded {
		return
	}
	out := make([]byte, 0, end-start)
	for i := start; i < end; i++ {
		if b[i] == '%' && i+2 < end && ascii.Hexes[b[i+1]] && ascii.Hexes[b[i+2]] {
			var c [1]byte
			if _, err := hex.Decode(c[:], b[i+1:i+3]); err == nil {
				out = append(out, c[0])
				i += 2
				continue
			}
		}
		out = append(out, b[i])
	}
	if printable(out) {
		r.inside(out, start, end)
	}
}

var percentBytes = ascii.NewSet("a-zA-Z0-9%._~+-")
