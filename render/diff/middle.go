package diff

import (
	"context"
	"sort"
	"time"
)

// gapLimit is the maximum number of lines per side that go-diff gets at once.
// Its search for a half match is quadratic and ignores the clock.
const gapLimit = 4096

// maxDepth limits how often gaps are split at unique lines again.
const maxDepth = 24

// differ is one comparison in progress. It passes matches to out in rising
// order and may stop at any point.
type differ struct {
	ctx         context.Context
	deadline    time.Time
	maxDistinct int

	out          builder
	baseA, baseB int // number of the first line of a and b below
	a, b         []int32
	matched      int  // lines matched in the middle
	small        bool // see smallBytes
	over         bool // no time left
	gaveUp       bool // some part was not searched fully

	// By line number (id): how often it occurs in the current range on each side,
	// up to 2, and where in b. Zero between uses.
	countA, countB []uint8
	placeB         []int32
}

// pair is one line of a and one line of b that are equal.
type pair struct{ a, b int32 }

// smallBytes is the size up to which a part that differs is compared whatever the clock says, if exactCells allows its lines: that takes
// milliseconds of work, and a busy machine must not make another result of it.
const smallBytes = 1 << 20

// late reports that the time is over; once true, it stays so.
func (d *differ) late() bool {
	if !d.over && (d.ctx.Err() != nil || !d.small && time.Now().After(d.deadline)) {
		d.over, d.gaveUp = true, true
	}
	return d.over
}

// middle compares what remains without the common head and tail.
func (d *differ) middle(a, b []byte) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	if d.late() {
		return
	}
	switch d.number(a, b) {
	case complete:
		d.diff(0, len(d.a), 0, len(d.b), 0)
	case tooMany:
		d.windows(a, b)
	}
}

// number fills d.a and d.b and the scratch by line number.
func (d *differ) number(a, b []byte) outcome {
	in := newInterner(d.maxDistinct)
	var end outcome
	if d.a, end = in.number(a, d.late); end != complete {
		return end
	}
	if d.b, end = in.number(b, d.late); end != complete {
		return end
	}
	n := len(in.known)
	d.countA, d.countB, d.placeB = make([]uint8, n), make([]uint8, n), make([]int32, n)
	return complete
}

func (d *differ) match(i, j, n int) {
	d.matched += n
	d.out.match(d.baseA+i, d.baseB+j, n)
}

// diff compares a[a0:a1] with b[b0:b1].
func (d *differ) diff(a0, a1, b0, b1, depth int) {
	n := 0
	for a0+n < a1 && b0+n < b1 && d.a[a0+n] == d.b[b0+n] {
		n++
	}
	d.match(a0, b0, n)
	a0, b0 = a0+n, b0+n
	for n = 0; a0 < a1-n && b0 < b1-n && d.a[a1-n-1] == d.b[b1-n-1]; {
		n++
	}
	d.gap(a0, a1-n, b0, b1-n, depth)
	d.match(a1-n, b1-n, n)
}

// gap compares two ranges whose first and last lines differ.
func (d *differ) gap(a0, a1, b0, b1, depth int) {
	if a0 == a1 || b0 == b1 || a1-a0 == 1 && b1-b0 == 1 || d.late() {
		return
	}
	var anchors []pair
	if depth < maxDepth {
		anchors = d.anchors(a0, a1, b0, b1)
		if len(anchors) == 0 && max(a1-a0, b1-b0) > gapLimit {
			anchors = d.phraseAnchors(a0, a1, b0, b1)
		}
	}
	if len(anchors) == 0 {
		d.search(a0, a1, b0, b1)
		return
	}
	for _, p := range anchors {
		i, j := int(p.a), int(p.b)
		if i > a0 && j > b0 {
			d.diff(a0, i, b0, j, depth+1)
		}
		d.match(i, j, 1)
		a0, b0 = i+1, j+1
	}
	d.diff(a0, a1, b0, b1, depth+1)
}

// anchors finds the lines that occur exactly once in both ranges, and of
// these the longest series that rises on both sides.
func (d *differ) anchors(a0, a1, b0, b1 int) []pair {
	d.count(a0, a1, b0, b1)
	var found []pair
	for i := a0; i < a1; i++ {
		if id := d.a[i]; d.countA[id] == 1 && d.countB[id] == 1 {
			found = append(found, pair{int32(i), d.placeB[id]})
		}
	}
	d.uncount(a0, a1, b0, b1)
	return rising(found)
}

func (d *differ) count(a0, a1, b0, b1 int) {
	for _, id := range d.a[a0:a1] {
		d.countA[id] = min(d.countA[id]+1, 2)
	}
	for j := b0; j < b1; j++ {
		id := d.b[j]
		d.countB[id] = min(d.countB[id]+1, 2)
		d.placeB[id] = int32(j)
	}
}

func (d *differ) uncount(a0, a1, b0, b1 int) {
	for _, id := range d.a[a0:a1] {
		d.countA[id] = 0
	}
	for _, id := range d.b[b0:b1] {
		d.countB[id] = 0
	}
}

// rising returns the longest subsequence of pairs (which rise in a) that also
// rises in b: patience sorting, n log n.
func rising(pairs []pair) []pair {
	sorted := true
	for i := 1; i < len(pairs) && sorted; i++ {
		sorted = pairs[i-1].b < pairs[i].b
	}
	if sorted {
		return pairs
	}
	tops := make([]int32, 0, 64) // tops[k]: the pair that ends a series of k+1 lowest in b
	before := make([]int32, len(pairs))
	for i, p := range pairs {
		k := len(tops)
		if k > 0 && pairs[tops[k-1]].b > p.b {
			k = sort.Search(k, func(k int) bool { return pairs[tops[k]].b > p.b })
		}
		before[i] = -1
		if k > 0 {
			before[i] = tops[k-1]
		}
		if k == len(tops) {
			tops = append(tops, int32(i))
		} else {
			tops[k] = int32(i)
		}
	}
	series := make([]pair, len(tops))
	at := tops[len(tops)-1]
	for k := len(series) - 1; k >= 0; k-- {
		series[k] = pairs[at]
		at = before[at]
	}
	return series
}

// phraseAnchors is for large ranges without unique lines (logs, tables): it
// finds phrases of 2, 4, 8 ... lines that occur once on both sides, and
// returns their first lines.
func (d *differ) phraseAnchors(a0, a1, b0, b1 int) []pair {
	a, b := d.a[a0:a1], d.b[b0:b1]
	for size := 1; size <= 32 && 2*size <= min(len(a), len(b)); size *= 2 {
		if d.late() {
			return nil
		}
		t := newTable()
		a, b = d.double(&t, a, size), d.double(&t, b, size)
		if d.over {
			return nil
		}
		count := make([]struct {
			a, b  uint8
			place int32
		}, len(t.keys))
		for _, id := range a {
			count[id].a = min(count[id].a+1, 2)
		}
		for j, id := range b {
			count[id].b = min(count[id].b+1, 2)
			count[id].place = int32(j)
		}
		var found []pair
		for i, id := range a {
			if c := count[id]; c.a == 1 && c.b == 1 {
				found = append(found, pair{int32(a0 + i), int32(b0) + c.place})
			}
		}
		if len(found) > 0 {
			return rising(found)
		}
	}
	return nil
}

// double numbers the phrases of 2*size lines, given the numbers of those of
// size lines. It stops early if the time is over.
func (d *differ) double(t *table, ids []int32, size int) []int32 {
	out := make([]int32, len(ids)-size)
	for i := range out {
		if i%checkEvery == checkEvery-1 && d.late() {
			return nil
		}
		out[i] = t.exact(uint64(uint32(ids[i]))<<32 | uint64(uint32(ids[i+size])))
	}
	return out
}

// search passes a gap without anchors to go-diff: only the lines that both
// sides have, since the others can't match, and in pieces of gapLimit.
func (d *differ) search(a0, a1, b0, b1 int) {
	d.count(a0, a1, b0, b1)
	inA, inB := d.shared(d.a, a0, a1, d.countB), d.shared(d.b, b0, b1, d.countA)
	d.uncount(a0, a1, b0, b1)
	if len(inA) == 0 || len(inB) == 0 {
		return
	}
	pieces := (max(len(inA), len(inB)) + gapLimit - 1) / gapLimit
	if pieces > 1 {
		// This misses lines that moved from one piece to another.
		defer func() { d.gaveUp = true }()
	}
	for k := range pieces {
		if d.late() {
			return
		}
		d.piece(part(inA, k, pieces), part(inB, k, pieces))
	}
}

// shared returns the lines of one side that also occur on the other.
func (d *differ) shared(ids []int32, from, to int, other []uint8) []int32 {
	var places []int32
	for i := from; i < to; i++ {
		if other[ids[i]] > 0 {
			places = append(places, int32(i))
		}
	}
	return places
}

// part is the k-th of n equal parts.
func part(places []int32, k, n int) []int32 {
	return places[len(places)*k/n : len(places)*(k+1)/n]
}

// piece compares the lines at the given places by go-diff.
func (d *differ) piece(inA, inB []int32) {
	x, y := make([]rune, len(inA)), make([]rune, len(inB))
	for k, i := range inA {
		x[k] = symbol(d.a[i])
	}
	for k, j := range inB {
		y[k] = symbol(d.b[j])
	}
	runs, ok := compare(x, y, time.Until(d.deadline))
	if !ok {
		d.gaveUp = true
		return
	}
	for _, run := range runs {
		for k := range run.n {
			d.match(int(inA[run.a+k]), int(inB[run.b+k]), 1)
		}
	}
}
