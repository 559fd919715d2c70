package diff

import (
	"sort"
	"strconv"
)

// Hunk is a group of changes with surrounding equal lines, as in a unified
// diff: lines count from 1, and a side without lines names the line before.
type Hunk struct {
	AStart, ALines int
	BStart, BLines int
	Ops            []Op // clipped to the hunk
}

// Header returns the line that introduces the hunk, as diff -u writes it.
func (h Hunk) Header() []byte {
	out := append([]byte("@@ -"), span(h.AStart, h.ALines)...)
	out = append(append(out, " +"...), span(h.BStart, h.BLines)...)
	return append(out, " @@"...)
}

func span(start, lines int) string {
	if lines == 1 {
		return strconv.Itoa(start)
	}
	return strconv.Itoa(start) + "," + strconv.Itoa(lines)
}

// Hunks groups the changes. Two changes share a hunk if all equal lines
// between them are shown. Equal texts have no hunk, whatever the context.
func Hunks(r *Result, o Options) []Hunk {
	if r.Same() {
		return nil
	}
	context := o.filled().Context
	if context < 0 || context > max(r.ALines, r.BLines) {
		return []Hunk{newHunk(r.Ops)}
	}
	var hunks []Hunk
	var group []Op
	for i, op := range r.Ops {
		if op.Kind != Equal {
			group = append(group, op)
			continue
		}
		n := op.AEnd - op.AStart
		last := i == len(r.Ops)-1
		until, from, broken := o.breaksIn(op)
		if len(group) > 0 && !last && n <= 2*context && !broken {
			group = append(group, op)
			continue
		}
		if len(group) > 0 {
			group = appendEqual(group, firstOf(op, min(context, until-op.AStart)))
			hunks = append(hunks, newHunk(group))
			group = nil
		}
		if !last {
			group = appendEqual(group, lastOf(op, min(context, op.AEnd-from)))
		}
	}
	if len(group) > 0 {
		hunks = append(hunks, newHunk(group))
	}
	return hunks
}

// breaksIn returns the first and the last break among equal lines; without one, the ends.
func (o Options) breaksIn(op Op) (first, last int, broken bool) {
	i, j := sort.SearchInts(o.Breaks, op.AStart), sort.SearchInts(o.Breaks, op.AEnd)
	if i == j {
		return op.AEnd, op.AStart, false
	}
	return o.Breaks[i], o.Breaks[j-1], true
}

// Blocks splits the changes as far as possible: the changed lines of a block have no equal lines between them.
func Blocks(r *Result) []Hunk {
	var blocks []Hunk
	var group []Op
	for _, op := range r.Ops {
		if op.Kind != Equal {
			group = append(group, op)
			continue
		}
		if len(group) > 0 {
			blocks, group = append(blocks, newHunk(group)), nil
		}
	}
	if len(group) > 0 {
		blocks = append(blocks, newHunk(group))
	}
	return blocks
}

// Covers reports whether the hunk shows line a of the first text or, if a is 0, line b of the second.
func (h Hunk) Covers(a, b int) bool {
	first, last := h.Ops[0], h.Ops[len(h.Ops)-1]
	if a > 0 {
		return a > first.AStart && a <= last.AEnd
	}
	return b > first.BStart && b <= last.BEnd
}

func appendEqual(ops []Op, op Op) []Op {
	if op.AStart == op.AEnd {
		return ops
	}
	return append(ops, op)
}

func firstOf(op Op, n int) Op {
	n = min(n, op.AEnd-op.AStart)
	op.AEnd, op.BEnd = op.AStart+n, op.BStart+n
	return op
}

func lastOf(op Op, n int) Op {
	n = min(n, op.AEnd-op.AStart)
	op.AStart, op.BStart = op.AEnd-n, op.BEnd-n
	return op
}

func newHunk(ops []Op) Hunk {
	first, last := ops[0], ops[len(ops)-1]
	h := Hunk{
		AStart: first.AStart, ALines: last.AEnd - first.AStart,
		BStart: first.BStart, BLines: last.BEnd - first.BStart,
		Ops: ops,
	}
	if h.ALines > 0 {
		h.AStart++
	}
	if h.BLines > 0 {
		h.BStart++
	}
	return h
}
