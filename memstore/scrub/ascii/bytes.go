// Package ascii holds the sets of bytes, runs, lines and words that the search for sensitive values is made of.
//
// The functions look at bytes: letters beyond ASCII are none of its sets and are not folded. Nothing here
// changes after the program has started, except for [Words] while they are filled.
package ascii

import (
	"bytes"
	"math"
	"slices"
	"strings"
)

// Set is a set of bytes. The sets below are never changed.
type Set [256]bool

// NewSet reads ranges as in a regular expression's brackets, without escapes: "a-z0-9_".
func NewSet(ranges string) *Set {
	var s Set
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
	Digits  = NewSet("0-9")
	Letters = NewSet("a-zA-Z")
	Lowers  = NewSet("a-z")
	Uppers  = NewSet("A-Z")
	Alnums  = NewSet("a-zA-Z0-9")
	Hexes   = NewSet("0-9a-fA-F")
	// HexDashes are those of hashes and UUIDs.
	HexDashes = NewSet("0-9a-fA-F-")
	// NameBytes are what the keys of configurations and variables are made of.
	NameBytes = NewSet("a-zA-Z0-9_.-")
	// HostBytes are what the names of hosts are made of.
	HostBytes = NewSet("a-zA-Z0-9.-")
)

// HasDigits reports whether a set has digits, and whether it has anything else.
func (s *Set) HasDigits() (some, others bool) {
	for b, in := range s {
		some = some || in && Digits[b]
		others = others || in && !Digits[b]
	}
	return some, others
}

// Lower folds ASCII letters.
var Lower = func() (t [256]byte) {
	for b := range t {
		t[b] = byte(b)
		if Uppers[b] {
			t[b] += 'a' - 'A'
		}
	}
	return t
}()

// Named are the names that patterns may use in braces; see [pattern].
var Named = map[string]*Set{
	"digit":   Digits,
	"alpha":   Letters,
	"lower":   Lowers,
	"upper":   Uppers,
	"alnum":   Alnums,
	"upnum":   NewSet("A-Z0-9"),
	"lownum":  NewSet("a-z0-9"),
	"hex":     NewSet("0-9a-f"),
	"anyhex":  Hexes,
	"word":    NewSet("a-zA-Z0-9_"),
	"b32":     NewSet("A-Z2-7"),
	"anyb32":  NewSet("a-zA-Z2-7"),
	"b58":     NewSet("1-9A-HJ-NP-Za-km-z"),
	"bech32":  NewSet("02-9ac-hj-np-z"),
	"b64":     NewSet("a-zA-Z0-9+/"),
	"b64eq":   NewSet("a-zA-Z0-9+/="),
	"b64url":  NewSet("a-zA-Z0-9_-"),
	"dotted":  NewSet("a-zA-Z0-9_.-"),
	"visible": NewSet("!-~"),
	"sep":     NewSet(" -"),
}

// Entropy is Shannon's, in bits a byte.
func Entropy(b []byte) float64 {
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

// Run is the end of the bytes from at on that are in s.
func Run(b []byte, at int, s *Set) int {
	for at < len(b) && s[b[at]] {
		at++
	}
	return at
}

// RunBack is the start of the bytes before at that are in s, at most limit of them.
func RunBack(b []byte, at int, s *Set, limit int) int {
	for stop := max(0, at-limit); at > stop && s[b[at-1]]; {
		at--
	}
	return at
}

// HasFold reports whether b begins with the lower-case word, ASCII case folded.
func HasFold(b []byte, word string) bool {
	if len(b) < len(word) {
		return false
	}
	for i := range len(word) {
		if Lower[b[i]] != word[i] {
			return false
		}
	}
	return true
}

// LineStart is the start of the line around at, at most limit bytes back.
func LineStart(b []byte, at, limit int) int {
	for stop := max(0, at-limit); at > stop && b[at-1] != '\n'; {
		at--
	}
	return at
}

// LineEnd is the end of the line around at (before its newline), at most limit bytes on.
func LineEnd(b []byte, at, limit int) int {
	stop := min(len(b), at+limit)
	if at >= stop {
		return at
	}
	if i := bytes.IndexByte(b[at:stop], '\n'); i >= 0 {
		return at + i
	}
	return stop
}

// Phrases are texts in lower case that are looked for in others, in any case of ASCII letters.
type Phrases []string

// In reports whether b contains one of them.
func (p Phrases) In(b []byte) bool {
	low := ToLower(string(b))
	return slices.ContainsFunc(p, func(s string) bool { return strings.Contains(low, s) })
}

// Begin is the first of them that b begins with, "" for none.
func (p Phrases) Begin(b []byte) string {
	if i := slices.IndexFunc(p, func(s string) bool { return HasFold(b, s) }); i >= 0 {
		return p[i]
	}
	return ""
}

// End reports whether b ends with one of them.
func (p Phrases) End(b []byte) bool {
	return slices.ContainsFunc(p, func(s string) bool { return len(s) <= len(b) && HasFold(b[len(b)-len(s):], s) })
}

// Words are whole words in lower case.
type Words struct{ All map[string]bool }

// Add adds a word in lower case.
func (w *Words) Add(word string) {
	if w.All == nil {
		w.All = map[string]bool{}
	}
	w.All[word] = true
}

// Has reports whether b, its ASCII letters folded, is one of the words.
func (w *Words) Has(b []byte) bool {
	var low [32]byte
	if len(b) == 0 || len(b) > len(low) {
		return false
	}
	for i, c := range b {
		low[i] = Lower[c]
	}
	return w.All[string(low[:len(b)])]
}

// ToLower folds ASCII letters only, as the trie does.
func ToLower(text string) string {
	out := []byte(text)
	for i, c := range out {
		out[i] = Lower[c]
	}
	return string(out)
}

// NewWords reads words with spaces between them.
func NewWords(list string) *Words {
	w := &Words{}
	for _, word := range strings.Fields(list) {
		w.Add(word)
	}
	return w
}

// JSONSpace are the blanks of JSON.
var JSONSpace = NewSet(" \t\r\n")

// MaxLine bounds how far the ends of a line are looked for, in bytes to either side.
const MaxLine = 16 << 10

// Blanks are those within a line.
var Blanks = NewSet(" \t")

// IsLabel reports a colon or an equals sign behind what ends at at, and behind its quote.
func IsLabel(b []byte, at int) bool {
	if at < len(b) && (b[at] == '"' || b[at] == '\'') {
		at++
	}
	at = Run(b, at, Blanks)
	return at < len(b) && (b[at] == ':' || b[at] == '=')
}

// HasLiteral reports whether a literal is at at.
func HasLiteral(b []byte, at int, literal string) bool {
	return len(b)-at >= len(literal) && string(b[at:at+len(literal)]) == literal
}
