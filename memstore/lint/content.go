package lint

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"memcurator/memstore"
	"memcurator/memstore/index"
)

// inspected is what is known about one content, whatever files have it. It is no longer changed
// and may be shared.
type inspected struct {
	Digest memstore.Digest
	Size   int64 // of what was inspected
	// Binary: it is not text, and was only compared as a whole.
	Binary   bool
	Encoding string // of a text that is not UTF-8, as a name; else ""
	// Cut: there is more than was inspected.
	Cut      bool
	findings []Finding // without a path

	blank      bool // nothing but white space
	sketch     sketch
	references []reference
	claims     []claim
	name       string // of the note, in its front matter
}

// inspection is a content while it is inspected.
type inspection struct {
	data    []byte
	content *inspected
	found   map[Rule]*Finding
}

// inspect finds out what there is to know about a content. data is at most [MaxBytes] of it; cut reports that the file is longer.
func inspect(data []byte, cut bool) *inspected {
	data = data[:min(len(data), MaxBytes)]
	c := &inspected{Digest: memstore.Sum(data), Size: int64(len(data)), Cut: cut, Binary: binary(data), Encoding: encodingOf(data)}
	if c.Binary {
		return c
	}
	in := &inspection{data: data, content: c, found: map[Rule]*Finding{}}
	in.planted(fold(in.data))
	in.hidden()
	for _, rule := range []Rule{Planted, HiddenText, Bidi, Control} {
		if f := in.found[rule]; f != nil {
			c.findings = append(c.findings, *f)
		}
	}
	c.blank, c.sketch = len(bytes.TrimSpace(data)) == 0, sketchOf(data)
	c.references, c.claims = in.referred(), in.claimed()
	c.name = index.NameIn(data[:min(len(data), index.HeadBytes)])
	in.locate()
	return c
}

// binary reports whether the bytes are not text: invalid UTF-8 in more than a twentieth of the
// first 64 KB. A zero byte alone is not enough, or it would be a way around every check.
func binary(data []byte) bool {
	head := data[:min(len(data), 64<<10)]
	bad := 0
	for i := 0; i < len(head); {
		if head[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && size <= 1 && i+utf8.UTFMax <= len(head) {
			bad++
		}
		i += size
	}
	return bad*20 > len(head)
}

// encodingOf names the encoding of a text that is not UTF-8; "": it is UTF-8, or no text. It is only told: the checks look at the bytes
// all the same, or two of them would be a way around.
func encodingOf(data []byte) string {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return "UTF-16"
	}
	for end := len(data); end > max(0, len(data)-utf8.UTFMax); end-- { // the last character may be cut
		if utf8.Valid(data[:end]) {
			return ""
		}
	}
	if len(data) == 0 || bytes.ContainsFunc(data, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' }) {
		return ""
	}
	return "an encoding such as Windows-1252"
}

// place adds a place to the finding of a rule and raises its severity.
func (in *inspection) place(rule Rule, s Severity, start, end int) *Finding {
	f := in.found[rule]
	if f == nil {
		f = &Finding{Rule: rule, Content: in.content.Digest}
		in.found[rule] = f
	}
	f.Severity = max(f.Severity, s)
	f.Count++
	if len(f.Places) < maxPlaces {
		f.Places = append(f.Places, Place{Start: int64(start), End: int64(end)})
	}
	return f
}

// locate works out lines and columns. The places of one finding are in order.
func (in *inspection) locate() {
	for i := range in.content.findings {
		f := &in.content.findings[i]
		walk := lineWalk{data: in.data}
		for j := range f.Places {
			f.Places[j].Line, f.Places[j].Column = walk.at(f.Places[j].Start)
		}
		f.Place = f.Places[0]
	}
	walk := lineWalk{data: in.data}
	for i := range in.content.references {
		p := &in.content.references[i].place
		p.Line, p.Column = walk.at(p.Start)
	}
	walk = lineWalk{data: in.data}
	for i := range in.content.claims {
		p := &in.content.claims[i].place
		p.Line, p.Column = walk.at(p.Start)
	}
}

// lineWalk finds lines of offsets that rise.
type lineWalk struct {
	data  []byte
	seen  int // up to here the lines are counted
	lines int64
	start int // of the line that seen is in
}

func (w *lineWalk) at(offset int64) (line, column int64) {
	to := int(offset)
	w.lines += int64(bytes.Count(w.data[w.seen:to], []byte{'\n'}))
	if i := bytes.LastIndexByte(w.data[w.seen:to], '\n'); i >= 0 {
		w.start = w.seen + i + 1
	}
	w.seen = to
	return w.lines + 1, int64(to-w.start) + 1
}

// quote is a part of a text for a reason, shortened, on one line.
func quote(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > maxQuote {
		runes := []rune(s)
		s = strings.TrimSpace(string(runes[:maxQuote-3])) + "..."
	}
	return `"` + s + `"`
}
