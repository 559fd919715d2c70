package scrub

import (
	"bytes"
	"math"
)

// set is a set of bytes. The sets below are never changed.
type set [256]bool

// makeSet reads ranges as in a regular expression's brackets, without escapes: "a-z0-9_".
func makeSet(ranges string) *set {
	var s set
	for i := 0; i < len(ranges); i++ {
		lo, hi := ranges[i], ranges[i]
		if i+2 < len(ranges) && ranges[i+1] == '-' {
			hi = ranges[i+2]
			i += 2
		}
		for b := int(lo); b <= int(hi); b++ {
			s[b] = true
		}
	}
	return &s
}

var (
	digits  = makeSet("0-9")
	letters = makeSet("a-zA-Z")
	lowers  = makeSet("a-z")
	uppers  = makeSet("A-Z")
	alnums  = makeSet("a-zA-Z0-9")
	hexes   = makeSet("0-9a-fA-F")
	// names are what the keys of configurations and variables are made of.
	names = makeSet("a-zA-Z0-9_.-")
)

// lowerTable folds ASCII letters.
var lowerTable = func() (t [256]byte) {
	for b := range t {
		t[b] = byte(b)
		if uppers[b] {
			t[b] += 'a' - 'A'
		}
	}
	return t
}()

// sets are the names that patterns may use in braces; see [pattern].
var sets = map[string]*set{
	"digit":    digits,
	"alpha":    letters,
	"lower":    lowers,
	"upper":    uppers,
	"alnum":    alnums,
	"upnum":    makeSet("A-Z0-9"),
	"lownum":   makeSet("a-z0-9"),
	"hex":      makeSet("0-9a-f"),
	"anyhex":   hexes,
	"word":     makeSet("a-zA-Z0-9_"),
	"b32":      makeSet("A-Z2-7"),
	"anyb32":   makeSet("a-zA-Z2-7"),
	"b58":      makeSet("1-9A-HJ-NP-Za-km-z"),
	"bech32":   makeSet("02-9ac-hj-np-z"),
	"b64":      makeSet("a-zA-Z0-9+/"),
	"b64eq":    makeSet("a-zA-Z0-9+/="),
	"b64url":   makeSet("a-zA-Z0-9_-"),
	"dotted":   makeSet("a-zA-Z0-9_.-"),
	"urlpath":  makeSet("a-zA-Z0-9_.~%+/-"),
	"tilde":    makeSet("a-zA-Z0-9_~.-"),
	"visible":  makeSet("!-~"),
	"dash":     makeSet("-"),
	"sep":      makeSet(" -"),
	"dotdash":  makeSet(".-"),
	"datesep":  makeSet("+-"),
	"slashdot": makeSet("./-"),
}

// entropy is Shannon's, in bits a byte.
func entropy(b []byte) float64 {
	if len(b) == 0 {
		return 0
	}
	var count [256]int
	for _, c := range b {
		count[c]++
	}
	sum, n := 0.0, float64(len(b))
	for _, c := range count {
		if c > 0 {
			p := float64(c) / n
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// run is the end of the bytes from at on that are in s.
func run(b []byte, at int, s *set) int {
	for at < len(b) && s[b[at]] {
		at++
	}
	return at
}

// runBack is the start of the bytes before at that are in s, at most limit of them.
func runBack(b []byte, at int, s *set, limit int) int {
	for stop := max(0, at-limit); at > stop && s[b[at-1]]; {
		at--
	}
	return at
}

// hasFold reports whether b begins with the lower-case word, ASCII case folded.
func hasFold(b []byte, word string) bool {
	if len(b) < len(word) {
		return false
	}
	for i := range len(word) {
		if lowerTable[b[i]] != word[i] {
			return false
		}
	}
	return true
}

// lineStart is the start of the line that at stands in, at most limit bytes back.
func lineStart(b []byte, at, limit int) int {
	for stop := max(0, at-limit); at > stop && b[at-1] != '\n'; {
		at--
	}
	return at
}

// lineEnd is the end of the line that at stands in (its newline not counted), at most limit bytes on.
func lineEnd(b []byte, at, limit int) int {
	stop := min(len(b), at+limit)
	if at >= stop {
		return at
	}
	if i := bytes.IndexByte(b[at:stop], '\n'); i >= 0 {
		return at + i
	}
	return stop
}

// phrases are texts in lower case that are sought anywhere in a text.
type phrases struct {
	by    [256][]string // by first byte
	pairs [1024 / 64]uint64
}

func newPhrases(list ...string) *phrases {
	p := &phrases{}
	for _, s := range list {
		p.by[s[0]] = append(p.by[s[0]], s)
		n := pairMark(s[0], s[1])
		p.pairs[n>>6] |= 1 << (n & 63)
	}
	return p
}

func pairMark(a, b byte) uint { return (uint(a)*37 + uint(b)) & 1023 }

// in reports whether one of them stands in b, ASCII case folded.
func (p *phrases) in(b []byte) bool {
	if len(b) < 2 {
		return false
	}
	last := lowerTable[b[0]]
	for i := 1; i < len(b); i++ {
		c := lowerTable[b[i]]
		if n := pairMark(last, c); p.pairs[n>>6]&(1<<(n&63)) != 0 {
			for _, s := range p.by[last] {
				if hasFold(b[i-1:], s) {
					return true
				}
			}
		}
		last = c
	}
	return false
}

// words are whole words in lower case.
type words struct {
	all map[string]bool
	// marks has a bit for each beginning, end and length of a word: most of what is asked
	// for is none of the words, and is refused by it.
	marks [8]uint64
}

func (w *words) add(word string) {
	if w.all == nil {
		w.all = map[string]bool{}
	}
	w.all[word] = true
	n := wordMark(word[0], word[len(word)-1], len(word))
	w.marks[n>>6] |= 1 << (n & 63)
}

func wordMark(first, last byte, n int) uint {
	return (uint(first)*7 + uint(last)*31 + uint(n)*101) & 511
}

// has reports whether b, its ASCII letters folded, is one of the words.
func (w *words) has(b []byte) bool {
	var low [32]byte
	if len(b) == 0 || len(b) > len(low) {
		return false
	}
	if n := wordMark(lowerTable[b[0]], lowerTable[b[len(b)-1]], len(b)); w.marks[n>>6]&(1<<(n&63)) == 0 {
		return false
	}
	for i, c := range b {
		low[i] = lowerTable[c]
	}
	return w.all[string(low[:len(b)])]
}

// lowerASCII folds ASCII letters only, as the trie does.
func lowerASCII(text string) string {
	out := []byte(text)
	for i, c := range out {
		out[i] = lowerTable[c]
	}
	return string(out)
}
