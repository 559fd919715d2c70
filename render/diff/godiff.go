package diff

import (
	"time"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// exactCells is the product of two lengths up to which go-diff may search
// without a time limit: milliseconds at the worst, and then the answer is the
// smallest one and does not depend on the speed of the machine.
const exactCells = 1 << 18

// run is x[a:a+n] being equal to y[b:b+n].
type run struct{ a, b, n int }

// symbol makes the rune that stands for a number. Surrogates are left out:
// go-diff passes its texts through strings, where they would be lost.
func symbol(id int32) rune {
	if id >= 0xD800 {
		id += 0x800
	}
	return id
}

// engine is go-diff's search for a limit, 0 meaning for ever. The tests put one
// that panics in its place.
var engine = func(x, y []rune, limit time.Duration) []diffmatchpatch.Diff {
	d := diffmatchpatch.New()
	d.DiffTimeout = limit
	return d.DiffMainRunes(x, y, false)
}

// compare gives the equal runs of two sequences in rising order, as go-diff
// finds them. ok is false if go-diff failed; then there is no answer.
func compare(x, y []rune, limit time.Duration) (runs []run, ok bool) {
	if len(x) == 0 || len(y) == 0 {
		return nil, true
	}
	defer func() {
		if recover() != nil {
			runs, ok = nil, false
		}
	}()
	limit = max(limit, time.Millisecond)
	if len(x)*len(y) <= exactCells {
		limit = 0
	}
	i, j := 0, 0
	for _, part := range engine(x, y, limit) {
		n := utf8.RuneCountInString(part.Text)
		switch part.Type {
		case diffmatchpatch.DiffEqual:
			runs = append(runs, run{i, j, n})
			i, j = i+n, j+n
		case diffmatchpatch.DiffDelete:
			i += n
		case diffmatchpatch.DiffInsert:
			j += n
		}
	}
	return runs, i == len(x) && j == len(y)
}
