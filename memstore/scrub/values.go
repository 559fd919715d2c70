package scrub

import (
	"bytes"
	"context"
	"encoding/base64"
	"maps"
	"math"
	"slices"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/redact"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// Values are values known to be sensitive, to be found again wherever they stand, without
// any context: the second mention of a password, in another file, in base64, percent-encoded.
// A Values does not change once it is made.
type Values struct {
	findings  []Finding // what the values are
	spellings []string  // of all values
	of        []int32   // whose spelling each is, in findings
	spelled   int       // bytes of all spellings
	index     *Index
	full      bool // there were more than are searched for
}

// maxSpelled bounds the spellings of all values, in bytes: more than a hundred thousand passwords need.
const maxSpelled = 256 << 20

// Full reports that some values are not searched for because there are too many.
func (v *Values) Full() bool { return v != nil && v.full }

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
	v.index = NewIndex(v.spellings)
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
	switch strength := judge.StrengthOf(v); {
	case by < Shaped && strength == judge.Word, by < stated && strength < judge.Certain:
		return false
	case by < assigned && strength < judge.Mixed && sh.Digit < len(v):
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
	if v.spelled > maxSpelled {
		v.full = true
		return
	}
	v.findings = append(v.findings, f)
	v.add(value)
	for _, kept := range []*ascii.Set{keptInPath, keptInQuery} {
		if ascii.Run(value, 0, kept) < len(value) {
			v.add(percent(nil, value, kept))
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
	v.spelled += len(spelling)
	v.spellings = append(v.spellings, string(spelling))
	v.of = append(v.of, int32(len(v.findings)-1))
}

// repeats adds the other places of the values of a text, where nothing announces them.
func (e *Engine) repeats(ctx context.Context, text []byte, format view.Format, r *Report) error {
	c := e.Collect()
	for _, f := range r.Findings {
		c.AddValue(plainIn(text, format, f), f)
	}
	values := c.Values()
	again, err := values.search(ctx, text, format, 2*MostFindings)
	r.Findings = Merge(r.Findings, again)
	if len(r.Findings) > MostFindings {
		r.Findings, r.Truncated = r.Findings[:MostFindings], true
	}
	r.Truncated = r.Truncated || values.Full()
	return err
}

// Empty reports whether no values are searched for.
func (v *Values) Empty() bool { return v == nil || len(v.spellings) == 0 }

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
		return (f.Evidence < Shaped || f.Class == "phone") && judge.StrengthOf(value) < judge.Certain
	})
}

// Search is Find for long texts: it ends when ctx does, with its error, or when it has found more than most.
func (v *Values) Search(ctx context.Context, name string, text []byte, most int) ([]Finding, error) {
	if IsBinary(text) || len(text) > view.MaxText {
		return nil, nil
	}
	return v.search(ctx, text, view.FormatOf(name, text), most)
}

// search returns the values in a text, the longest at each place.
func (v *Values) search(ctx context.Context, text []byte, format view.Format, most int) ([]Finding, error) {
	if v.Empty() {
		return nil, nil
	}
	var out []Finding
	shown := view.New(text, format)
	b := shown.Text
	marks := placeholders(b)
	for i := 0; i < len(b) && len(out) <= most; i++ {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !v.index.mayBegin(b[i:]) {
			continue
		}
		for len(marks) > 0 && marks[0].end <= i {
			marks = marks[1:]
		}
		to := len(b)
		if len(marks) > 0 {
			to = max(i, min(to, marks[0].start)) // a match must not reach into a placeholder
		}
		for n, end := range v.index.At(b[:to], i) {
			if standsAlone(b[:to], i, end) {
				f := v.findings[v.of[n]]
				f.Start, f.End = shown.Span(i, end)
				f.Repeat = true
				out = append(out, f)
				i = end - 1
				break
			}
		}
	}
	return Merge(out, nil), nil
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
