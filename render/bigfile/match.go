package bigfile

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// matcher is a compiled query. It is immutable.
type matcher struct {
	literal []byte // searched literally; nil when folding
	longest int    // maximum length of a hit, in bytes

	// A folded text is found by one of its characters, the anchor, in each of its
	// encodings; the whole text is compared around each anchor.
	runes   []rune   // folded
	anchors [][]byte // encodings of the anchor
	before  int      // bytes from the start of a hit to its anchor
}

// newMatcher returns nil for a query that matches nothing.
func newMatcher(q Query) *matcher {
	if q.Text == "" || strings.Contains(q.Text, "\n") {
		return nil
	}
	m := &matcher{literal: []byte(q.Text), longest: len(q.Text)}
	if q.Fold && utf8.ValidString(q.Text) {
		m.fold(q.Text)
	}
	return m
}

// fold turns m into a folding matcher, unless no character of text has another case.
func (m *matcher) fold(text string) {
	longest, before, fixed, plain := 0, 0, true, true
	best := -1
	for _, r := range text {
		forms := orbit(r)
		least, most := utf8.UTFMax, 0
		for _, form := range forms {
			least, most = min(least, len(form)), max(most, len(form))
		}
		// If characters before the anchor change length, its distance from the start
		// is unknown.
		if rare := rarity(r); fixed && rare > best {
			best, m.anchors, m.before = rare, forms, before
		}
		fixed = fixed && least == most
		before += most
		longest += most
		plain = plain && len(forms) == 1
		m.runes = append(m.runes, folded(r))
	}
	if !plain {
		m.literal, m.longest = nil, longest
	}
}

// orbit returns the encodings of all case variants of r.
func orbit(r rune) [][]byte {
	forms := [][]byte{utf8.AppendRune(nil, r)}
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		forms = append(forms, utf8.AppendRune(nil, o))
	}
	return forms
}

// folded returns the representative of all case variants of r: the smallest.
func folded(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}
	least := r
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		least = min(least, o)
	}
	return least
}

// common lists characters that are frequent in prose and notes, most frequent first.
const common = " etaoinsrhldcumfpgwybv-.,kxjqz"

// rarity rates r as an anchor: the higher the rarer.
func rarity(r rune) int {
	if i := strings.IndexRune(common, unicode.ToLower(r)); i >= 0 {
		return i
	}
	return len(common)
}

// scan finds hits in one text. It remembers the anchors, so that stepping through the hits reads the text once.
type scan struct {
	m  *matcher
	b  []byte
	at []int // the next place of each anchor; len(b) for none
}

func (m *matcher) scan(b []byte) *scan {
	s := &scan{m: m, b: b, at: make([]int, len(m.anchors))}
	for k := range s.at {
		s.at[k] = -1
	}
	return s
}

// next returns the first hit at or after from, or -1. from must not decrease from call to call.
func (s *scan) next(from int) (start, end int) {
	if s.m.literal != nil {
		i := bytes.Index(s.b[from:], s.m.literal)
		if i < 0 {
			return -1, -1
		}
		return from + i, from + i + len(s.m.literal)
	}
	for {
		at := s.anchor(from + s.m.before)
		if at == len(s.b) {
			return -1, -1
		}
		from = at - s.m.before
		if n := s.m.matchLen(s.b[from:]); n > 0 {
			return from, from + n
		}
		from++
	}
}

// anchor returns the first place of an anchor at or after from, or len(b).
func (s *scan) anchor(from int) int {
	first := len(s.b)
	for k, form := range s.m.anchors {
		if s.at[k] < from {
			s.at[k] = len(s.b)
			if from < len(s.b) {
				if i := bytes.Index(s.b[from:], form); i >= 0 {
					s.at[k] = from + i
				}
			}
		}
		first = min(first, s.at[k])
	}
	return first
}

// last returns the last hit that starts before end, or -1.
func (s *scan) last(end int) (i, j int) {
	i, j = -1, -1
	for at := 0; at < end; {
		a, b := s.next(at)
		if a < 0 || a >= end {
			break
		}
		i, j = a, b
		at = a + 1
	}
	return i, j
}

// matchLen returns how many bytes match at the beginning of b; 0 for none.
func (m *matcher) matchLen(b []byte) int {
	n := 0
	for _, want := range m.runes {
		r, w := utf8.DecodeRune(b[n:])
		if folded(r) != want || r == utf8.RuneError && w < 2 {
			return 0
		}
		n += w
	}
	return n
}
