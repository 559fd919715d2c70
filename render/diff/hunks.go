package diff

import (
	"math"
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

// Contexts of [Hunks]: how many equal lines are shown around a change.
const (
	DefaultContext = 3
	WholeText      = math.MaxInt / 2 // twice it is no overflow
)

// Hunks groups the changes. Two changes share a hunk if all equal lines between them are shown: with a context of 0, none are, and each
// hunk is a block of changed lines. Equal texts have no hunk, whatever the context.
func Hunks(r *Result, context int) (hunks []Hunk) {
	var ops []Op
	for i, op := range r.Ops {
		if op.Kind != Equal {
			ops = append(ops, op)
			continue
		}
		last := i == len(r.Ops)-1
		if len(ops) > 0 && !last && op.AEnd-op.AStart <= 2*context {
			ops = append(ops, op)
			continue
		}
		n := min(context, op.AEnd-op.AStart)
		if len(ops) > 0 {
			if n > 0 {
				ops = append(ops, Op{Equal, op.AStart, op.AStart + n, op.BStart, op.BStart + n})
			}
			hunks = append(hunks, newHunk(ops))
			ops = nil
		}
		if n > 0 && !last {
			ops = []Op{{Equal, op.AEnd - n, op.AEnd, op.BEnd - n, op.BEnd}}
		}
	}
	if len(ops) > 0 {
		hunks = append(hunks, newHunk(ops))
	}
	return hunks
}

// Covers reports whether the hunk shows line a of the first text or, if a is 0, line b of the second.
func (h Hunk) Covers(a, b int) bool {
	first, last := h.Ops[0], h.Ops[len(h.Ops)-1]
	if a > 0 {
		return a > first.AStart && a <= last.AEnd
	}
	return b > first.BStart && b <= last.BEnd
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
