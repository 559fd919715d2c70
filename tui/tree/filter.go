package tree

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"memcurator/render/text"
)

// filter is a parsed filter line. Read only after [parseFilter]; its terms must all match.
type filter struct {
	text    string
	terms   []term
	problem string // why a term was left out; empty: all are understood
	// What deciding takes, so that nothing is prepared in vain.
	paths, marks, unread, hidden, folders bool
}

// term is one condition on a name of the store.
type term struct {
	not  bool
	what subject
	is   string   // of isA: one of kinds
	word string   // of aWord and aPath: what is looked for
	fold bool     // word is lower case and names are folded
	ext  []string // of anExt: lower case, without the dot
	low  int64    // of aSize in bytes, of anAge in nanoseconds: inclusive bounds
	high int64
}

type subject uint8

const (
	aWord subject = iota // a part of the name
	aPath                // a part of the path, for words with a slash
	isA
	anExt
	aSize
	anAge
)

// kinds are the values of "is:".
var kinds = []string{"file", "folder", "hidden", "link", "problem", "selected", "unread"}

// keys are what comes before the colon of a term; empty completions take free text.
var keys = []string{"age:", "changed:", "ext:", "is:", "size:"}

// parseFilter reads a filter line: words that all must be in the name, without regard to case
// unless one has a capital, and terms such as is:selected, ext:md, size:>10k, changed:<1d. A
// leading - or ! turns a word or term around. A term that is not finished yet, as while it is
// typed, is ignored; an invalid one is named in problem.
func parseFilter(line string) *filter {
	f := &filter{text: line}
	for _, w := range filterWords(line) {
		t, problem, whole := parseTerm(w)
		switch {
		case problem != "":
			f.problem = problem
		case whole:
			f.terms = append(f.terms, t)
			f.note(t)
		}
	}
	return f
}

// note collects what the terms need.
func (f *filter) note(t term) {
	f.paths = f.paths || t.what == aPath || t.what == isA && (t.is == "selected" || t.is == "unread")
	f.unread = f.unread || t.what == isA && t.is == "unread"
	f.marks = f.marks || t.what == isA && t.is == "selected"
	f.hidden = f.hidden || t.what == isA && t.is == "hidden" && !t.not
	f.folders = f.folders || t.what == isA && t.is == "folder" && !t.not
}

// active reports whether anything is filtered.
func (f *filter) active() bool { return f != nil && len(f.terms) > 0 }

// filterWord is one word of the line: what stood in quotes is never a term.
type filterWord struct {
	text   string
	not    bool
	quoted bool
}

func filterWords(line string) []filterWord {
	var out []filterWord
	for rest := strings.TrimSpace(line); rest != ""; rest = strings.TrimSpace(rest) {
		w := filterWord{}
		if (rest[0] == '-' || rest[0] == '!') && len(rest) > 1 && rest[1] != ' ' {
			w.not, rest = true, rest[1:]
		}
		if rest[0] == '"' {
			// A quote that is not closed yet holds the rest of the line.
			w.quoted = true
			w.text, rest, _ = strings.Cut(rest[1:], `"`)
		} else if cut := strings.IndexFunc(rest, unicode.IsSpace); cut >= 0 {
			w.text, rest = rest[:cut], rest[cut:]
		} else {
			w.text, rest = rest, ""
		}
		if w.text != "" && (w.quoted || w.text != "-" && w.text != "!") {
			out = append(out, w)
		}
	}
	return out
}

// parseTerm reads one word. whole is false for a term that is not finished.
func parseTerm(w filterWord) (t term, problem string, whole bool) {
	key, value, found := strings.Cut(w.text, ":")
	if w.quoted || !found || !isKey(key) {
		return wordTerm(w), "", true
	}
	t.not = w.not
	key, value = strings.ToLower(key), strings.ToLower(value)
	ok := true
	switch key {
	case "is":
		if value == "marked" { // its name before
			value = "selected"
		}
		t.what, t.is = isA, value
		if !slices.Contains(kinds, value) {
			return t, unknownTerm("is:", value, kinds), false
		}
		return t, "", true
	case "ext":
		t.what = anExt
		for e := range strings.SplitSeq(value, ",") {
			if e = strings.TrimPrefix(e, "."); e != "" {
				t.ext = append(t.ext, e)
			}
		}
		return t, "", len(t.ext) > 0
	case "size":
		t.what = aSize
		t.low, t.high, whole, ok = parseBounds(value, parseBytes, false)
	case "changed", "age":
		t.what = anAge
		t.low, t.high, whole, ok = parseBounds(value, parseAge, true)
	default:
		return t, unknownTerm("", key+":", keys), false
	}
	if !ok {
		return t, fmt.Sprintf("%s cannot be read; like size:>10k, size:1k..2m, changed:<1d", w.text), false
	}
	return t, "", whole
}

// isKey reports whether what comes before a colon looks like the key of a term; "12:04" is a word.
func isKey(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
}

func wordTerm(w filterWord) term {
	t := term{not: w.not, what: aWord, word: w.text}
	if strings.Contains(w.text, "/") {
		t.what = aPath
	}
	if !strings.ContainsFunc(w.text, unicode.IsUpper) {
		t.fold, t.word = true, strings.ToLower(w.text)
	}
	return t
}

// unknownTerm names what was meant, except for the beginning of something known.
func unknownTerm(lead, typed string, known []string) string {
	for _, k := range known {
		if strings.HasPrefix(k, strings.TrimSuffix(typed, ":")) {
			return ""
		}
	}
	nearest := text.Nearest(typed, known)
	if nearest != "" {
		nearest = lead + nearest
	}
	return unknownTermText(lead+typed, nearest)
}

// unknownTermText names a term of a filter that means nothing, and what may be meant.
func unknownTermText(term, nearest string) string {
	if nearest == "" {
		return fmt.Sprintf("%s is not a filter term. tab lists them; quote it to find the word", term)
	}
	return fmt.Sprintf("%s is not a filter term. Did you mean %s?", term, nearest)
}

// parseBounds reads >n, >=n, <n, <=n, n..m and n. A lone n is a least size, but the most of an age.
func parseBounds(s string, parse func(string) (int64, bool), upTo bool) (low, high int64, whole, ok bool) {
	const most = int64(1<<63 - 1)
	low, high = -most, most
	if from, to, found := strings.Cut(s, ".."); found {
		if from == "" || to == "" {
			return low, high, false, true
		}
		a, okA := parse(from)
		b, okB := parse(to)
		return min(a, b), max(a, b), okA && okB, okA && okB
	}
	number := strings.TrimLeft(s, "<>=")
	operator := s[:len(s)-len(number)]
	if number == "" {
		return low, high, false, slices.Contains([]string{"", ">", ">=", "<", "<=", "="}, operator)
	}
	n, ok := parse(number)
	switch operator {
	case ">":
		low = n + 1
	case ">=":
		low = n
	case "<":
		high = n - 1
	case "<=":
		high = n
	case "=":
		low, high = n, n
	case "":
		if upTo {
			high = n
		} else {
			low = n
		}
	default:
		ok = false
	}
	return low, high, ok, ok
}

// parseUnit reads a decimal number and its unit; without a unit it counts units[""].
func parseUnit(s string, units map[string]int64) (int64, bool) {
	cut := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	digits, unit := s, ""
	if cut >= 0 {
		digits, unit = s[:cut], s[cut:]
	}
	by, known := units[unit]
	if !known || digits == "" || len(digits) > 9 {
		return 0, false
	}
	var n int64
	for _, d := range digits {
		n = n*10 + int64(d-'0')
	}
	if n > (1<<62)/by {
		return 0, false
	}
	return n * by, true
}

// parseBytes reads sizes as the tree writes them: K is 1024.
func parseBytes(s string) (int64, bool) {
	units := map[string]int64{"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
	return parseUnit(strings.TrimSuffix(strings.TrimSuffix(s, "b"), "i"), units)
}

// parseAge reads a time span: 30m, 24h, 60d, 8w; a bare number is days.
func parseAge(s string) (int64, bool) {
	const day = int64(24 * time.Hour)
	second, minute, hour := int64(time.Second), int64(time.Minute), int64(time.Hour)
	return parseUnit(s, map[string]int64{"": day, "s": second, "m": minute, "h": hour, "d": day, "w": 7 * day})
}

// completeFilter lists the lines that could follow a filter line: the keys of terms and
// the values of is:.
func completeFilter(line string) []string {
	cut := strings.LastIndexFunc(line, unicode.IsSpace) + 1
	head, word := line[:cut], line[cut:]
	if strings.HasPrefix(word, "-") || strings.HasPrefix(word, "!") {
		head, word = head+word[:1], word[1:]
	}
	var out []string
	for _, k := range keys {
		if strings.HasPrefix(k, word) {
			out = append(out, head+k)
		}
	}
	if value, is := strings.CutPrefix(word, "is:"); is {
		out = nil
		for _, k := range kinds {
			if strings.HasPrefix(k, value) {
				out = append(out, head+"is:"+k)
			}
		}
	}
	return out
}
