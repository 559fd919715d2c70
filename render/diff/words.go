package diff

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/sergi/go-diff/diffmatchpatch"
)

// Limits of the work on changed lines: of longer ones only the middle is split into words, only so much of each is compared to find its
// partner, the lines of larger blocks are paired by position, and so are those of all blocks of a text beyond so many pairs of lines.
const (
	wordBytes    = 8 << 10
	lineBytes    = 1 << 20 // longer ones get no words
	profileBytes = 512
	pairLines    = 64
	pairBudget   = 1 << 20
)

// alike is the share of two lines that must be equal for them to count as one changed line rather than two.
const alike = 0.3

// tokens splits a line into words, signs and white space; none of a line that is no text or too long.
func tokens(line []byte) (all [][]byte) {
	if len(line) > wordBytes || !utf8.Valid(line) {
		return nil
	}
	for it := words.FromBytes(line); it.Next(); {
		all = append(all, it.Value())
	}
	return all
}

// changedWords returns the byte ranges in which two lines differ, in whole words. Both are nil if the lines are equal, too different, or
// not to be split.
func changedWords(a, b []byte) (inA, inB [][2]int) {
	if max(len(a), len(b)) > wordBytes {
		return changedMiddle(a, b)
	}
	x, y := tokens(a), tokens(b)
	if likeness(profile(x), profile(y)) < alike && !(Blank(a) && Blank(b)) {
		return nil, nil
	}
	known := map[string]rune{}
	symbols := func(tokens [][]byte) (out []rune) {
		for _, t := range tokens {
			if known[string(t)] == 0 {
				known[string(t)] = symbol(len(known))
			}
			out = append(out, known[string(t)])
		}
		return out
	}
	engine := diffmatchpatch.New()
	diffs := engine.DiffMainRunes(symbols(x), symbols(y), false)
	i, j := 0, 0
	for _, d := range engine.DiffCleanupSemantic(diffs) {
		n := 0
		rest, at := &x, &i
		if d.Type == diffmatchpatch.DiffInsert {
			rest, at = &y, &j
		}
		for range d.Text {
			n++
		}
		size := len(bytes.Join((*rest)[:n], nil))
		*rest = (*rest)[n:]
		switch d.Type {
		case diffmatchpatch.DiffEqual:
			y = y[n:]
			j += size
		case diffmatchpatch.DiffDelete:
			inA = append(inA, [2]int{i, i + size})
		case diffmatchpatch.DiffInsert:
			inB = append(inB, [2]int{j, j + size})
		}
		*at += size
	}
	return inA, inB
}

// changedMiddle is changedWords for long lines: the words between the beginning and the end that they share, all of them if even those are
// too many to compare.
func changedMiddle(a, b []byte) (inA, inB [][2]int) {
	if max(len(a), len(b)) > lineBytes || bytes.Equal(a, b) || !utf8.Valid(a) || !utf8.Valid(b) {
		return nil, nil
	}
	head, tail, most := 0, 0, min(len(a), len(b))
	for head < most && a[head] == b[head] {
		head++
	}
	head = bytes.LastIndexByte(a[:head], ' ') + 1
	for tail < most-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	tail -= max(0, bytes.IndexByte(a[len(a)-tail:], ' '))
	midA, midB := a[head:len(a)-tail], b[head:len(b)-tail]
	switch {
	case max(len(midA), len(midB)) <= wordBytes:
		inA, inB = changedWords(midA, midB)
	case float64(head+tail) < alike*float64(most):
		return nil, nil
	}
	if inA == nil && inB == nil { // too different, or too many
		inA, inB = [][2]int{{0, len(midA)}}, [][2]int{{0, len(midB)}}
	}
	for _, words := range [][][2]int{inA, inB} {
		for i := range words {
			words[i][0] += head
			words[i][1] += head
		}
	}
	return inA, inB
}

// profile is the words of a line, sorted, without white space.
func profile(tokens [][]byte) [][]byte {
	all := slices.DeleteFunc(slices.Clone(tokens), func(t []byte) bool { return len(bytes.TrimSpace(t)) == 0 })
	slices.SortFunc(all, bytes.Compare)
	return all
}

func lineProfile(line []byte) [][]byte {
	end := min(len(line), profileBytes)
	for end < len(line) && end > 0 && !utf8.RuneStart(line[end]) {
		end--
	}
	return profile(tokens(line[:end]))
}

// likeness is the share of bytes of two profiles in equal words, whatever their order: from 0 to 1.
func likeness(x, y [][]byte) float64 {
	all, shared := len(bytes.Join(x, nil))+len(bytes.Join(y, nil)), 0
	for len(x) > 0 && len(y) > 0 {
		switch order := bytes.Compare(x[0], y[0]); {
		case order < 0:
			x = x[1:]
		case order > 0:
			y = y[1:]
		default:
			shared += 2 * len(x[0])
			x, y = x[1:], y[1:]
		}
	}
	return float64(shared) / float64(max(all, 1))
}

// align pairs the lines of a changed block that became each other, so that the sum of their likenesses is the largest without crossing
// pairs. It returns their places in x and y.
func align(x, y [][]byte) (pairs [][2]int) {
	n, m := len(x), len(y)
	if n == 1 && m == 1 {
		return [][2]int{{0, 0}}
	}
	others := make([][][]byte, m)
	for j, line := range y {
		others[j] = lineProfile(line)
	}
	like, best := make([][]float64, n), make([][]float64, n+1) // best[i][j]: of the lines from i and j on
	best[n] = make([]float64, m+1)
	for i := n - 1; i >= 0; i-- {
		one := lineProfile(x[i])
		like[i], best[i] = make([]float64, m), make([]float64, m+1)
		for j := m - 1; j >= 0; j-- {
			like[i][j] = likeness(one, others[j])
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if like[i][j] >= alike {
				best[i][j] = max(best[i][j], like[i][j]+best[i+1][j+1])
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case like[i][j] >= alike && best[i][j] == like[i][j]+best[i+1][j+1]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case best[i][j] == best[i+1][j]:
			i++
		default:
			j++
		}
	}
	return pairs
}
