package lint

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"memcurator/memstore/index"
)

// inspected is what is known about one content, whatever files have it. It is no longer changed
// and may be shared.
type inspected struct {
	// Binary: it is not text, and was only compared as a whole.
	Binary   bool
	Encoding string    // of a text that is not UTF-8, as a name; else ""
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

// inspect finds out what there is to know about a content, of which data is at most [MaxBytes].
func inspect(data []byte) *inspected {
	c := &inspected{Binary: binary(data), Encoding: encodingOf(data)}
	if c.Binary {
		return c
	}
	in := &inspection{data: data, content: c, found: map[Rule]*Finding{}}
	in.planted(fold(in.data))
	in.hidden()
	c.blank, c.sketch = len(bytes.TrimSpace(data)) == 0, sketchOf(data)
	c.references, c.claims = in.referred(), in.claimed()
	c.name = index.NameIn(data[:min(len(data), index.HeadBytes)])
	in.locate()
	for _, rule := range []Rule{Planted, HiddenText, Bidi, Control} {
		if f := in.found[rule]; f != nil {
			f.Place = f.Places[0]
			c.findings = append(c.findings, *f)
		}
	}
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
	if utf8.Valid(data) {
		return ""
	}
	for cut := 1; cut < utf8.UTFMax && len(data) == MaxBytes; cut++ { // the last character may be cut
		if utf8.Valid(data[:len(data)-cut]) {
			return ""
		}
	}
	if bytes.ContainsFunc(data, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' }) {
		return ""
	}
	return "an encoding such as Windows-1252"
}

// place adds a place to the finding of a rule and raises its severity.
func (in *inspection) place(rule Rule, s Severity, start, end int) *Finding {
	f := in.found[rule]
	if f == nil {
		f = &Finding{Rule: rule}
		in.found[rule] = f
	}
	f.Severity = max(f.Severity, s)
	f.Count++
	if len(f.Places) < maxPlaces {
		f.Places = append(f.Places, placeAt(start, end))
	}
	return f
}

// locate works out the lines of all places.
func (in *inspection) locate() {
	var all []*Place
	for _, f := range in.found {
		for i := range f.Places {
			all = append(all, &f.Places[i])
		}
	}
	for i := range in.content.references {
		all = append(all, &in.content.references[i].place)
	}
	for i := range in.content.claims {
		all = append(all, &in.content.claims[i].place)
	}
	slices.SortFunc(all, func(a, b *Place) int { return a.Start - b.Start })
	line, start, at := int64(1), 0, 0 // start is that of the line
	for _, p := range all {
		between := in.data[at:p.Start]
		line += int64(bytes.Count(between, []byte{'\n'}))
		if i := bytes.LastIndexByte(between, '\n'); i >= 0 {
			start = at + i + 1
		}
		p.Line, p.Column, at = line, int64(p.Start-start)+1, p.Start
	}
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
