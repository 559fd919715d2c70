package diff

import (
	"hash/maphash"
	"slices"
	"sort"
	"unicode/utf8"
)

// Limits of the work on changed pairs. A block with more lines per side than
// pairLines is paired by position; lines longer than wordBytes get no words;
// profileBytes of each line are compared to find its partner.
const (
	pairLines    = 64
	wordBytes    = 64 << 10
	profileBytes = 512
)

// alike is the share of two lines that must be equal for them to count as one
// changed line rather than two.
const alike = 0.3

// reworded is the share of two lines that must be equal before one says in other words what the other says.
const reworded = 0.6

// Reworded finds the lines of a that a line of b says in other words.
func Reworded(a, b [][]byte) (lines []int) {
	seed := maphash.MakeSeed()
	others := make([]profile, len(b))
	for i, line := range b {
		others[i] = profileOf(seed, line)
	}
	for i, line := range a {
		one := profileOf(seed, line)
		if slices.ContainsFunc(others, func(other profile) bool { return one.likeness(other) >= reworded }) {
			lines = append(lines, i)
		}
	}
	return lines
}

// block is a changed block: lines a0 to a1-1 of a became b0 to b1-1 of b.
type block struct{ a0, a1, b0, b1 int }

// Sizes of the caches; a full one is cleared. A screen has at most a few
// hundred rows.
const (
	cachedPairings = 128
	cachedPairs    = 1024
)

type linePair struct{ a, b int }

type linePairWords struct{ a, b [][2]int }

// wordCache finds the partner of a changed line and the words in which the
// two differ.
type wordCache struct {
	a, b     *cursor
	seed     maphash.Seed
	pairings map[block][]linePair
	words    map[linePair]linePairWords
}

func newWordCache(a, b Text) *wordCache {
	return &wordCache{
		a: a.cursor(), b: b.cursor(), seed: maphash.MakeSeed(),
		pairings: map[block][]linePair{}, words: map[linePair]linePairWords{},
	}
}

// partnerOfA returns the line of b that line i of a became, or -1; partnerOfB
// is its counterpart.
func (c *wordCache) partnerOfA(in block, i int) int {
	if in.a1-in.a0 > pairLines || in.b1-in.b0 > pairLines {
		if j := in.b0 + i - in.a0; j < in.b1 {
			return j
		}
		return -1
	}
	for _, p := range c.pairing(in) {
		if p.a == i {
			return p.b
		}
	}
	return -1
}

func (c *wordCache) partnerOfB(in block, j int) int {
	if in.a1-in.a0 > pairLines || in.b1-in.b0 > pairLines {
		if i := in.a0 + j - in.b0; i < in.a1 {
			return i
		}
		return -1
	}
	for _, p := range c.pairing(in) {
		if p.b == j {
			return p.a
		}
	}
	return -1
}

func (c *wordCache) of(p linePair) linePairWords {
	if w, ok := c.words[p]; ok {
		return w
	}
	if len(c.words) >= cachedPairs {
		clear(c.words)
	}
	var w linePairWords
	w.a, w.b = words(c.a.line(p.a), c.b.line(p.b))
	c.words[p] = w
	return w
}

func (c *wordCache) pairing(in block) []linePair {
	if pairs, ok := c.pairings[in]; ok {
		return pairs
	}
	if len(c.pairings) >= cachedPairings {
		clear(c.pairings)
	}
	pairs := c.align(in)
	c.pairings[in] = pairs
	return pairs
}

// align pairs the lines of a small block to maximize the sum of their
// likenesses without crossing pairs.
func (c *wordCache) align(in block) []linePair {
	n, m := in.a1-in.a0, in.b1-in.b0
	if n == 1 && m == 1 {
		return []linePair{{in.a0, in.b0}}
	}
	x, y := make([]profile, n), make([]profile, m)
	for i := range x {
		x[i] = c.profile(c.a.line(in.a0 + i))
	}
	for j := range y {
		y[j] = c.profile(c.b.line(in.b0 + j))
	}
	like := make([]float64, n*m)
	best := make([]float64, (n+1)*(m+1)) // best[i][j]: of the lines from i and j on
	at := func(i, j int) *float64 { return &best[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			s := x[i].likeness(y[j])
			like[i*m+j] = s
			top := max(*at(i+1, j), *at(i, j+1))
			if s >= alike {
				top = max(top, s+*at(i+1, j+1))
			}
			*at(i, j) = top
		}
	}
	var pairs []linePair
	for i, j := 0, 0; i < n && j < m; {
		s := like[i*m+j]
		switch {
		case s >= alike && *at(i, j) == s+*at(i+1, j+1):
			pairs = append(pairs, linePair{in.a0 + i, in.b0 + j})
			i, j = i+1, j+1
		case *at(i, j) == *at(i+1, j):
			i++
		default:
			j++
		}
	}
	return pairs
}

// profile is the content of a line: its tokens without white space, by hash.
type profile struct {
	parts []profilePart
	bytes int
}

type profilePart struct {
	hash  uint64
	bytes int
}

func (c *wordCache) profile(line []byte) profile { return profileOf(c.seed, line) }

func profileOf(seed maphash.Seed, line []byte) profile {
	if len(line) > wordBytes || !utf8.Valid(line) {
		return profile{}
	}
	if len(line) > profileBytes {
		end := profileBytes
		for !utf8.RuneStart(line[end]) {
			end--
		}
		line = line[:end]
	}
	var p profile
	start := 0
	for _, end := range tokens(line) {
		word := line[start:end]
		if kindOf(firstRune(word)) != blankToken {
			p.parts = append(p.parts, profilePart{maphash.Bytes(seed, word), len(word)})
			p.bytes += len(word)
		}
		start = end
	}
	sort.Slice(p.parts, func(i, j int) bool { return p.parts[i].hash < p.parts[j].hash })
	return p
}

// likeness is the share of bytes of both lines in equal tokens, whatever
// their order: from 0 to 1.
func (p profile) likeness(q profile) float64 {
	if p.bytes == 0 || q.bytes == 0 {
		return 0
	}
	shared := 0
	for i, j := 0, 0; i < len(p.parts) && j < len(q.parts); {
		switch x, y := p.parts[i], q.parts[j]; {
		case x.hash < y.hash:
			i++
		case x.hash > y.hash:
			j++
		default:
			shared += x.bytes + y.bytes
			i, j = i+1, j+1
		}
	}
	return float64(shared) / float64(p.bytes+q.bytes)
}
