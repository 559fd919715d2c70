package diff

import (
	"time"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// exactCells is the maximum product of two lengths that go-diff may search
// without a time limit: milliseconds at worst, and the result is then the
// smallest one and independent of the machine's speed.
const exactCells = 1 << 18

// run means that x[a:a+n] equals y[b:b+n].
type run struct{ a, b, n int }

// symbol returns the rune for a number. It skips surrogates: go-diff passes
// its texts through strings, which would lose them.
func symbol(id int32) rune {
	if id >= 0xD800 {
		id += 0x800
	}
	return id
}

// engine is go-diff's search with a time limit, 0 meaning none. Tests replace
// it by one that panics.
var engine = func(x, y []rune, limit time.Duration) []diffmatchpatch.Diff {
	d := diffmatchpatch.New()
	d.DiffTimeout = limit
	return d.DiffMainRunes(x, y, false)
}

// compare returns the equal runs of two sequences in rising order, as found
// by go-diff. ok is false if go-diff failed.
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
