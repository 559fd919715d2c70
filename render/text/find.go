package text

import (
	"bytes"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Finder finds a text as people type it: lower case matches both, a capital matches case, as in other pagers, and letters with marks are
// found composed and taken apart. What is not UTF-8 is found nowhere. It is immutable.
type Finder struct {
	ascii []byte // nil: re finds it
	fold  bool
	re    *regexp.Regexp
}

// NewFinder makes a text ready. An empty one is never found.
func NewFinder(typed string) *Finder {
	f := &Finder{fold: typed == strings.ToLower(typed)}
	if !strings.ContainsFunc(typed, func(r rune) bool { return r >= 0x80 }) { // as most are; an expression takes a hundred times as long
		f.ascii = []byte(typed)
		return f
	}
	typed = strings.ToValidUTF8(typed, "\x00")
	source := "(?:" + regexp.QuoteMeta(norm.NFC.String(typed)) + "|" + regexp.QuoteMeta(norm.NFD.String(typed)) + ")"
	if f.fold {
		source = "(?i)" + source
	}
	f.re = regexp.MustCompile(source)
	return f
}

// In returns what finds the first match in b that starts at from or behind it; -1 for none.
func (f *Finder) In(b []byte) (next func(from int) (start, end int)) {
	if f.re != nil {
		return func(from int) (start, end int) {
			at := f.re.FindIndex(b[from:])
			if at == nil {
				return -1, -1
			}
			return from + at[0], from + at[1]
		}
	}
	if f.fold {
		b = bytes.Clone(b)
		for i, c := range b {
			if 'A' <= c && c <= 'Z' {
				b[i] = c + 'a' - 'A'
			}
		}
	}
	return func(from int) (start, end int) {
		i := bytes.Index(b[from:], f.ascii)
		if i < 0 || len(f.ascii) == 0 {
			return -1, -1
		}
		return from + i, from + i + len(f.ascii)
	}
}

// All are the matches in a line, from left to right without overlaps.
func (f *Finder) All(line []byte) (spans [][2]int) {
	next := f.In(line)
	for at := 0; ; {
		start, end := next(at)
		if start < 0 {
			return spans
		}
		spans, at = append(spans, [2]int{start, end}), end
	}
}
