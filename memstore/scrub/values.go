package scrub

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
)

// Values are values known to be sensitive, to be found again wherever they stand, without
// any context: the second mention of a password, in another file, in base64, percent-encoded.
// A Values does not change once it is made.
type Values struct {
	entries []entry
	first   []uint64 // a bit for each beginning of four bytes, hashed
	byStart map[uint32][]int32
}

// entry is one spelling of one value.
type entry struct {
	bytes []byte
	from  *Finding
}

// Collector gathers values from the texts of a store. It is not safe for concurrent use.
type Collector struct {
	e    *Engine
	seen map[string]Finding
}

// Collect begins to gather values.
func (e *Engine) Collect() *Collector {
	return &Collector{e: e, seen: map[string]Finding{}}
}

// Add takes the values of the findings of one text. Values that would be met by chance
// (short numbers, plain words) are left out.
func (c *Collector) Add(name string, text []byte, findings []Finding) {
	for _, f := range findings {
		c.AddValue(c.e.Plain(name, text, f), f)
	}
}

// AddValue takes one value, as a reader sees it; f says what it is.
func (c *Collector) AddValue(value string, f Finding) {
	if !c.e.travels(value, f.Class) {
		return
	}
	if old, ok := c.seen[value]; !ok || f.Score > old.Score {
		c.seen[value] = f
	}
}

// Len is how many values there are.
func (c *Collector) Len() int { return len(c.seen) }

// Values ends the gathering.
func (c *Collector) Values() *Values { return newValues(c.seen) }

// travels reports whether a value is peculiar enough to be sought where nothing announces it.
func (e *Engine) travels(value, class string) bool {
	v := []byte(value)
	if len(v) < 6 || len(v) > 16<<10 || isDummy(v) || bytes.Contains(v, []byte(opening)) {
		return false
	}
	sh := shapeOf(v)
	if class == "ip-address" {
		return false
	}
	if e.class(class).Personal {
		return sh.digit >= 7 || bytes.IndexByte(v, '@') > 0
	}
	if sh.digit == len(v) {
		return len(v) >= 8
	}
	if sh.letters()+sh.other == len(v) {
		return len(v) >= 10 && !pronounceable(strings.ToLower(value)) || sh.lower > 0 && sh.upper > 1 && len(v) >= 8
	}
	return !e.stopped[strings.ToLower(value)]
}

func newValues(seen map[string]Finding) *Values {
	v := &Values{byStart: map[uint32][]int32{}, first: make([]uint64, 1<<10)}
	for _, value := range sortedKeys(seen) {
		f := seen[value]
		for _, s := range spellings(value) {
			v.add(s, &f)
		}
	}
	for _, at := range v.byStart {
		slices.SortFunc(at, func(a, b int32) int { return len(v.entries[b].bytes) - len(v.entries[a].bytes) })
	}
	return v
}

func sortedKeys(m map[string]Finding) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// spellings are the forms under which a value is sought in a view: as it is, percent-
// encoded, in base64 (without the ends that depend on what stands beside it).
func spellings(value string) []string {
	out := []string{value}
	for _, kept := range []string{"-_.~", "-_.~$&+,;=:@!*'()"} {
		if s := percent(value, kept); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if len(value) >= 8 {
		raw := []byte(value)
		for shift := range 3 {
			padded := append(make([]byte, shift), raw...)
			whole := len(padded) / 3 * 3
			text := base64.StdEncoding.EncodeToString(padded[:whole])
			if skip := (shift*8 + 5) / 6; len(text)-skip >= 10 {
				out = append(out, text[skip:])
				if other := strings.NewReplacer("+", "-", "/", "_").Replace(text[skip:]); other != text[skip:] {
					out = append(out, other)
				}
			}
		}
	}
	return out
}

func (v *Values) add(s string, f *Finding) {
	b := []byte(s)
	if len(b) < 5 {
		return
	}
	key := binary.LittleEndian.Uint32(b)
	h := hash4(key)
	v.first[h>>6] |= 1 << (h & 63)
	v.byStart[key] = append(v.byStart[key], int32(len(v.entries)))
	v.entries = append(v.entries, entry{b, f})
}

func hash4(key uint32) uint32 { return key * 0x9e3779b1 >> 16 }

// Empty reports that there is nothing to seek.
func (v *Values) Empty() bool { return v == nil || len(v.entries) == 0 }

// Find returns the places of the values in a text, ordered and free of overlaps. Join
// them with those of a scan by Merge.
func (v *Values) Find(name string, text []byte) []Finding {
	if v.Empty() || isBinary(text) || len(text) > maxText {
		return nil
	}
	view := newView(text, FormatOf(name, text))
	var out []Finding
	for _, m := range v.match(view.text) {
		start, end := view.span(m.start, m.end)
		f := *m.from
		f.Start, f.End = start, end
		out = append(out, f)
	}
	return Merge(out, nil)
}

// valueHit is a value in a view.
type valueHit struct {
	start, end int
	from       *Finding
}

// match returns the values in a view, the longest at each place.
func (v *Values) match(b []byte) []valueHit {
	var out []valueHit
	marks := placeholders(b)
	for i := 0; i+4 <= len(b); i++ {
		key := binary.LittleEndian.Uint32(b[i:])
		h := hash4(key)
		if v.first[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		for len(marks) > 0 && marks[0].end <= i {
			marks = marks[1:]
		}
		for _, n := range v.byStart[key] {
			e := v.entries[n]
			end := i + len(e.bytes)
			if end > len(b) || string(b[i:end]) != string(e.bytes) || !standsAlone(b, i, end) || len(marks) > 0 && marks[0].start < end {
				continue
			}
			out = append(out, valueHit{i, end, e.from})
			i = end - 1
			break
		}
	}
	return out
}

// standsAlone keeps short values from being found inside longer words.
func standsAlone(b []byte, start, end int) bool {
	if end-start >= 12 {
		return true
	}
	return (start == 0 || !alnums[b[start]] || !alnums[b[start-1]] || escapeBefore(b, start)) && (end == len(b) || !alnums[b[end-1]] || !alnums[b[end]])
}

// repeats finds the values of a text again in the text itself.
func (s *scan) repeats(found []candidate) []candidate {
	seen := map[string]Finding{}
	rules := map[string]*rule{}
	for _, c := range found {
		value := string(s.text[c.start:c.end])
		if s.e.travels(value, c.rule.class) {
			seen[value] = Finding{Class: c.rule.class, Rule: c.rule.id, Score: c.score}
			rules[c.rule.id] = c.rule
		}
	}
	if len(seen) == 0 {
		return found
	}
	hits := newValues(seen).match(s.text)
	if len(hits) == len(found) {
		return found
	}
	s.found = found
	for _, h := range hits {
		s.found = append(s.found, candidate{h.start, h.end, rules[h.from.Rule], h.from.Score})
	}
	return s.merge()
}

// percent encodes all but letters, digits and what is kept, with capital digits.
func percent(value, kept string) string {
	var out strings.Builder
	for _, c := range []byte(value) {
		if alnums[c] || strings.IndexByte(kept, c) >= 0 {
			out.WriteByte(c)
			continue
		}
		out.WriteByte('%')
		out.WriteByte("0123456789ABCDEF"[c>>4])
		out.WriteByte("0123456789ABCDEF"[c&15])
	}
	return out.String()
}
