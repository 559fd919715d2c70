package diff

import (
	"bytes"
	"hash/maphash"
	"sort"
)

// Limits of the search for moved lines. A block counts as moved if it has
// movedLetters letters and digits, the rule of git diff --color-moved, so
// that brackets and blank lines don't count. Above movedLines changed lines
// there is no search; it tries at most movedTries equal places per line, and
// compares movedSteps lines in all, a few tens of milliseconds.
const (
	movedLetters = 20
	movedLines   = 100_000
	movedTries   = 32
	movedSteps   = 2 << 20
)

// moves are lines that were removed in one place and added, unchanged, in
// another. Nil means none.
type moves struct {
	fromA, fromB []movedRun // the same runs, sorted by place in a and in b
}

// movedRun means that lines a to a+n-1 were added as b to b+n-1.
type movedRun struct{ a, b, n int }

// target returns the line of b that line i of a moved to, or -1.
func (m *moves) target(i int) int {
	if m == nil {
		return -1
	}
	k := sort.Search(len(m.fromA), func(k int) bool { return m.fromA[k].a > i }) - 1
	if k < 0 || i >= m.fromA[k].a+m.fromA[k].n {
		return -1
	}
	return m.fromA[k].b + i - m.fromA[k].a
}

// source is the counterpart of target for line j of b.
func (m *moves) source(j int) int {
	if m == nil {
		return -1
	}
	k := sort.Search(len(m.fromB), func(k int) bool { return m.fromB[k].b > j }) - 1
	if k < 0 || j >= m.fromB[k].b+m.fromB[k].n {
		return -1
	}
	return m.fromB[k].a + j - m.fromB[k].b
}

// mover searches for moves.
type mover struct {
	a, b    *cursor
	bare    bool
	seed    maphash.Seed
	lines   []int32          // the removed lines
	ends    []int32          // by index in lines: the end of its run of removed lines
	taken   []bool           // by index in lines
	places  map[uint64][]int // hash of a removed line -> indexes in lines
	steps   int
	buffers [2][]byte
	runs    []movedRun
}

func findMoves(r *Result, a, b Text) *moves {
	if r.Added == 0 || r.Removed == 0 || r.Added+r.Removed > movedLines {
		return nil
	}
	m := &mover{a: a.cursor(), b: b.cursor(), bare: r.SpaceIgnored, seed: maphash.MakeSeed(), places: map[uint64][]int{}}
	for _, op := range r.Ops {
		if op.Kind == Delete {
			m.removed(op)
		}
	}
	m.taken = make([]bool, len(m.lines))
	for _, op := range r.Ops {
		if op.Kind == Insert {
			m.added(op)
		}
	}
	if len(m.runs) == 0 {
		return nil
	}
	found := &moves{fromB: m.runs, fromA: append([]movedRun(nil), m.runs...)}
	sort.Slice(found.fromA, func(i, j int) bool { return found.fromA[i].a < found.fromA[j].a })
	return found
}

func (m *mover) removed(op Op) {
	end := int32(len(m.lines) + op.AEnd - op.AStart)
	for i := op.AStart; i < op.AEnd; i++ {
		line := m.line(0, i)
		if letters(line) > 0 {
			key := maphash.Bytes(m.seed, line)
			if places := m.places[key]; len(places) < movedTries {
				m.places[key] = append(places, len(m.lines))
			}
		}
		m.lines, m.ends = append(m.lines, int32(i)), append(m.ends, end)
	}
}

// line returns a line in the form to compare: of a for side 0, of b for side 1.
func (m *mover) line(side, i int) []byte {
	line := m.a
	if side == 1 {
		line = m.b
	}
	text := line.line(i)
	if !m.bare {
		return text
	}
	kept := m.buffers[side][:0]
	for _, c := range text {
		if !blank[c] {
			kept = append(kept, c)
		}
	}
	m.buffers[side] = kept
	return kept
}

// added finds, for each added line, the longest run of removed lines that
// matches it and the lines after it.
func (m *mover) added(op Op) {
	for j := op.BStart; j < op.BEnd && m.steps < movedSteps; {
		line := m.line(1, j)
		best := movedRun{n: 1}
		if letters(line) > 0 {
			best = m.longest(maphash.Bytes(m.seed, line), j, op.BEnd)
		}
		j += best.n
	}
}

// longest finds and takes the longest run that begins with line j of b; it
// skips one that is too short.
func (m *mover) longest(key uint64, j, end int) movedRun {
	var best movedRun
	place, weight := -1, 0
	for _, at := range m.places[key] {
		n, w := m.run(at, j, end)
		if n > best.n {
			best, place, weight = movedRun{int(m.lines[at]), j, n}, at, w
		}
	}
	if weight < movedLetters {
		return movedRun{n: 1}
	}
	for k := range best.n {
		m.taken[place+k] = true
	}
	m.runs = append(m.runs, best)
	return best
}

// run counts the removed lines from index at that equal those from line j of
// b, and the letters in them.
func (m *mover) run(at, j, end int) (n, weight int) {
	for at+n < int(m.ends[at]) && j+n < end && !m.taken[at+n] {
		m.steps++
		line := m.line(1, j+n)
		if !bytes.Equal(m.line(0, int(m.lines[at+n])), line) || m.steps > movedSteps {
			break
		}
		weight += letters(line)
		n++
	}
	return n, weight
}

// letters counts letters and digits, bytes of other scripts included, up to
// the number that matters.
func letters(line []byte) int {
	n := 0
	for _, c := range line {
		if c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
			if n++; n >= movedLetters {
				break
			}
		}
	}
	return n
}
