package scrub

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// Values are values known to be sensitive, to be found again wherever they stand, without
// any context: the second mention of a password, in another file, in base64, percent-encoded.
// A Values does not change once it is made.
type Values struct {
	findings []Finding // what the values are
	text     []byte    // the spellings of all values, one behind another
	entries  []entry   // in the order of their bytes, each once
	filter   []uint64  // a bit for each beginning of four bytes, hashed
	shift    uint      // of the hash, so that it is the number of a bit
	begins   []begin   // by key
	full     bool      // there were more than are searched for
}

// maxSpelled bounds the spellings of all values, in bytes: more than a hundred thousand passwords need.
const maxSpelled = 256 << 20

// Full reports that some values are not searched for because there are too many.
func (v *Values) Full() bool { return v != nil && v.full }

// begin is where the entries start that share their first four bytes.
type begin struct {
	key  uint32 // of the entries
	from int32
}

// entry is one spelling of one value.
type entry struct {
	at, n  int32  // in Values.text
	from   int32  // in Values.findings
	parent int32  // the longest other entry that this one begins with, -1 for none
	key    uint32 // its first four bytes, big-endian: in the order of the entries
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
// (short numbers, plain words) are omitted.
func (c *Collector) Add(name string, text []byte, findings []Finding) {
	for _, f := range findings {
		c.AddValue(c.e.Plain(name, text, f), f)
	}
}

// AddValue takes one value, as a reader sees it; f says what it is.
func (c *Collector) AddValue(value string, f Finding) {
	if !c.e.travels([]byte(value), f.Class, f.Evidence) {
		return
	}
	if old, ok := c.seen[value]; !ok || f.Score > old.Score {
		c.seen[value] = f
	}
}

// Len is how many values there are.
func (c *Collector) Len() int { return len(c.seen) }

// Values ends the gathering.
func (c *Collector) Values() *Values {
	v := &Values{}
	for _, value := range slices.Sorted(maps.Keys(c.seen)) {
		v.addValue([]byte(value), c.seen[value])
	}
	v.lay()
	return v
}

// travels reports whether a value is certain and distinctive enough to search for where nothing announces it: by its form, its check
// digits, a word that it is the value of, or because nothing but a password or a token is built like it. A telephone number
// that only a word made one stays where it is.
func (e *Engine) travels(v []byte, class string, by Evidence) bool {
	if len(v) < 6 || len(v) > 16<<10 || class == "ip-address" || class == "phone" && by < Shaped {
		return false
	}
	sh := shape.Of(v)
	built := prose.Unmistakable(v) || prose.Grouped(v) || sh.Digit >= 2 && sh.Letters() >= 3 && !shape.Readable(v)
	if by < Shaped && shape.IsIdentifier(v) || by < assigned && (shape.IsNumberedName(v) || by < stated && !built) {
		return false
	}
	switch {
	case e.class(class).Personal:
		if sh.Digit < 7 && bytes.IndexByte(v, '@') <= 0 || sh.Digit == len(v) && !peculiarNumber(v, class) {
			return false
		}
	case sh.Digit == len(v):
		if len(v) < 8 {
			return false
		}
	case sh.Letters()+sh.Other == len(v):
		if !(len(v) >= 10 && !prose.Pronounceable(strings.ToLower(string(v)))) && !(sh.Lower > 0 && sh.Upper > 1 && len(v) >= 8) {
			return false
		}
	case e.stopped.All[strings.ToLower(string(v))]:
		return false
	}
	return !shape.IsDummy(v) && !bytes.Contains(v, []byte(redact.Word))
}

// peculiarNumber reports digits without a mark that are what they are without a word
// beside them: by their length and beginning, or because few numbers pass their check.
func peculiarNumber(v []byte, class string) bool {
	if class == "phone" {
		return len(v) == 11 && (v[0] == '0' || v[0] == '1' && v[1] >= '3')
	}
	return len(v) >= 11
}

// addValue adds the forms under which a value is searched for in a view: as is, percent-
// encoded, in base64 (without the ends that depend on what stands beside it).
func (v *Values) addValue(value []byte, f Finding) {
	if len(v.text) > maxSpelled {
		v.full = true
		return
	}
	v.findings = append(v.findings, f)
	v.add(value)
	for _, kept := range []*ascii.Set{keptInPath, keptInQuery} {
		if ascii.Run(value, 0, kept) < len(value) {
			v.text = percent(v.text, value, kept)
			v.addLast()
		}
	}
	if len(value) < 8 {
		return
	}
	padded := append(make([]byte, 2, 64), value...)
	for shift := range 3 {
		raw := padded[2-shift:]
		skip := (shift*8 + 5) / 6
		raw = raw[:len(raw)/3*3]
		if len(raw)/3*4-skip < 10 {
			continue
		}
		text := base64.StdEncoding.AppendEncode(nil, raw)[skip:]
		v.add(text)
		if bytes.ContainsAny(text, "+/") {
			for i, c := range text {
				switch c {
				case '+':
					text[i] = '-'
				case '/':
					text[i] = '_'
				}
			}
			v.add(text)
		}
	}
}

// What encoders leave bare, beside letters and digits.
var (
	keptInPath  = ascii.NewSet("a-zA-Z0-9_.~-")
	keptInQuery = ascii.NewSet("a-zA-Z0-9_.~$&+,;=:@!*'()-")
)

func (v *Values) add(spelling []byte) {
	v.text = append(v.text, spelling...)
	v.addLast()
}

// addLast makes an entry of what was added to the text behind the last one.
func (v *Values) addLast() {
	at := int32(0)
	if n := len(v.entries); n > 0 {
		at = v.entries[n-1].at + v.entries[n-1].n
	}
	n := int32(len(v.text)) - at
	if n < 5 {
		v.text = v.text[:at]
		return
	}
	v.entries = append(v.entries, entry{at: at, n: n, from: int32(len(v.findings) - 1), parent: -1, key: binary.BigEndian.Uint32(v.text[at:])})
}

func (v *Values) spelling(e *entry) []byte { return v.text[e.at : e.at+e.n] }

// lay orders the entries and makes the tables that find them.
func (v *Values) lay() {
	slices.SortFunc(v.entries, func(a, b entry) int {
		switch {
		case a.key < b.key:
			return -1
		case a.key > b.key:
			return 1
		}
		return cmp.Or(bytes.Compare(v.spelling(&a), v.spelling(&b)), int(a.at-b.at))
	})
	v.entries = slices.CompactFunc(v.entries, func(a, b entry) bool { return bytes.Equal(v.spelling(&a), v.spelling(&b)) })
	v.shift = 32 - 10
	for 1<<(32-v.shift) < len(v.entries)*16 && v.shift > 32-maxFilter {
		v.shift--
	}
	v.filter = make([]uint64, 1<<(32-v.shift)/64)
	for i := range v.entries {
		e := &v.entries[i]
		for p := int32(i) - 1; p >= 0; p = v.entries[p].parent {
			if bytes.HasPrefix(v.spelling(e), v.spelling(&v.entries[p])) {
				e.parent = p
				break
			}
		}
		if n := len(v.begins); n > 0 && v.begins[n-1].key == e.key {
			continue
		}
		h := hash4(e.key) >> (v.shift & 31)
		v.filter[h>>6] |= 1 << (h & 63)
		v.begins = append(v.begins, begin{e.key, int32(i)})
	}
}

// maxFilter bounds the filter: 1<<maxFilter bits, which a processor keeps at hand.
const maxFilter = 22

func hash4(key uint32) uint32 { return key * 0x9e3779b1 }

// repeats adds the other places of the values of a text, where nothing announces them.
func (e *Engine) repeats(ctx context.Context, text []byte, format view.Format, r *Report) error {
	c := e.Collect()
	for _, f := range r.Findings {
		c.AddValue(plainIn(text, format, f), f)
	}
	values := c.Values()
	again, err := values.search(ctx, text, format, e.window, 2*e.limit)
	r.Findings = Merge(r.Findings, again)
	if len(r.Findings) > e.limit {
		r.Findings, r.Truncated = r.Findings[:e.limit], true
	}
	r.Truncated = r.Truncated || values.Full()
	return err
}

// Empty reports whether no values are searched for.
func (v *Values) Empty() bool { return v == nil || len(v.entries) == 0 }

// Find returns the places of the values in a text, ordered and free of overlaps. Join
// them with those of a scan by Merge.
func (v *Values) Find(name string, text []byte) []Finding {
	found, _ := v.Search(context.Background(), name, text, math.MaxInt)
	return found
}

// InName is Find for the name of a file or folder. Only values that are sure by their form, or that nothing but a password or a
// token is built like, are taken for the same thing in a name: a date or a word there is what it says.
func (v *Values) InName(path string) []Finding {
	return slices.DeleteFunc(v.Find("", []byte(path)), func(f Finding) bool {
		value := []byte(path[f.Start:f.End])
		return (f.Evidence < Shaped || f.Class == "phone") && !prose.Unmistakable(value) && !prose.UnmistakableToken(value, true)
	})
}

// Search is Find for long texts: it ends when ctx does, with its error, or some way behind
// the place where it has found more than most.
func (v *Values) Search(ctx context.Context, name string, text []byte, most int) ([]Finding, error) {
	if IsBinary(text) || len(text) > view.MaxText {
		return nil, nil
	}
	return v.search(ctx, text, view.FormatOf(name, text), windowSize, most)
}

func (v *Values) search(ctx context.Context, text []byte, format view.Format, size, most int) ([]Finding, error) {
	if v.Empty() {
		return nil, nil
	}
	var out []Finding
	err := windows(ctx, text, format, size, func(w *window) ([]byte, bool) {
		for _, m := range v.match(w.Text) {
			if start, end, ok := w.place(m.start, m.end); ok {
				f := v.findings[m.from]
				f.Start, f.End, f.Repeat = start, end, true
				out = append(out, f)
			}
		}
		return nil, len(out) <= most
	})
	return Merge(out, nil), err
}

// valueHit is a value in a view.
type valueHit struct {
	start, end int
	from       int32 // in Values.findings
}

// match returns the values in a view, the longest at each place.
func (v *Values) match(b []byte) []valueHit {
	var out []valueHit
	marks := placeholders(b)
	filter, shift := v.filter, v.shift&31
	for i := 0; i+4 <= len(b); i++ {
		key := binary.BigEndian.Uint32(b[i:])
		h := hash4(key) >> shift
		if filter[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		from, behind := v.among(key)
		if from == behind {
			continue
		}
		for len(marks) > 0 && marks[0].end <= i {
			marks = marks[1:]
		}
		to := len(b)
		if len(marks) > 0 {
			to = max(i, min(to, marks[0].start)) // a match must not reach into a placeholder
		}
		if e := v.longest(b[:to], i, from, behind); e != nil {
			end := i + int(e.n)
			out = append(out, valueHit{i, end, e.from})
			i = end - 1
		}
	}
	return out
}

// among are the numbers of the entries that begin with key, from the first to past the last.
func (v *Values) among(key uint32) (from, to int32) {
	n := sort.Search(len(v.begins), func(i int) bool { return v.begins[i].key >= key })
	if n == len(v.begins) || v.begins[n].key != key {
		return 0, 0
	}
	if n+1 == len(v.begins) {
		return v.begins[n].from, int32(len(v.entries))
	}
	return v.begins[n].from, v.begins[n+1].from
}

// longest is the longest entry between two numbers that is a whole word at i, nil if none does.
func (v *Values) longest(b []byte, i int, from, to int32) *entry {
	rest := b[i:]
	// The last entry that is not behind the text in the order of bytes begins with every
	// entry that the text begins with.
	n := sort.Search(int(to-from), func(n int) bool {
		e := &v.entries[int(from)+n]
		return bytes.Compare(v.spelling(e), rest[:min(len(rest), int(e.n))]) > 0
	})
	for p := from + int32(n) - 1; p >= from; p = v.entries[p].parent {
		if e := &v.entries[p]; bytes.HasPrefix(rest, v.spelling(e)) && standsAlone(b, i, i+int(e.n)) {
			return e
		}
	}
	return nil
}

// standsAlone keeps short values from being found inside longer words.
func standsAlone(b []byte, start, end int) bool {
	if end-start >= 12 && ascii.Run(b[:end], start, ascii.Digits) < end {
		return true
	}
	return (start == 0 || !ascii.Alnums[b[start]] || !ascii.Alnums[b[start-1]] || escapeBefore(b, start)) &&
		(end == len(b) || !ascii.Alnums[b[end-1]] || !ascii.Alnums[b[end]])
}

// percent appends a value with all but the bytes of kept encoded, with capital digits.
func percent(out, value []byte, kept *ascii.Set) []byte {
	for _, c := range value {
		if kept[c] {
			out = append(out, c)
			continue
		}
		out = append(out, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
	}
	return out
}
