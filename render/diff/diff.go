// Package diff compares two texts line by line and turns the result into rows for a pane, or into a patch.
//
// [Lines] strips the lines that both texts begin and end with and has go-diff compare the rest, in which every different line is one
// symbol. When its time is over, what isn't compared yet is one replaced block: the result is always correct, if not the smallest one,
// and says so. [Hunks] groups it; [Unified] and [Split] make its rows, with the changed words of paired lines and the lines that only
// moved; [Format] writes a patch.
//
// Everything is pure: bytes in, values out. The texts must not change while a Result or View of them is in use. Rows contain raw bytes of
// the texts: sanitize them before drawing. Lines end at "\n" only, and a missing newline at the end is a difference.
package diff

import (
	"bytes"
	"context"
	"sort"
	"time"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// defaultTimeout is that of Options.
const defaultTimeout = 200 * time.Millisecond

// Options control a comparison and its display. The zero value suits the UI.
type Options struct {
	Timeout time.Duration // of the comparison; 0 means defaultTimeout
	// LineMost is how many bytes [Format] writes of a line that is longer, those around its first change: 0 means all of them, as a patch
	// needs.
	LineMost int
}

// Kind is the type of an Op.
type Kind uint8

// Kinds of Op.
const (
	Equal Kind = iota
	Delete
	Insert
)

// Op is a run of lines of one kind: a[AStart:AEnd] and b[BStart:BEnd], in lines from 0. A Delete has an empty range in b, an Insert one
// in a. In a changed block the Delete comes before the Insert, and there is at most one of each between two Equals.
type Op struct {
	Kind         Kind
	AStart, AEnd int
	BStart, BEnd int
}

// Result is the outcome of a comparison. It is immutable and safe for concurrent use.
type Result struct {
	Ops            []Op
	Added, Removed int // lines
	ALines, BLines int // all lines of the texts
	// Approximate: the time was over, so unchanged lines may be shown as changed.
	Approximate bool
	// ANoNewline, BNoNewline: the text is not empty and its last line has no newline.
	ANoNewline, BNoNewline bool

	a, b int // lines that have an op
}

// Same reports whether the texts are equal.
func (r *Result) Same() bool { return r.Added == 0 && r.Removed == 0 }

// Follow returns the line of b, from 1, that line a of a became; for a removed line, the one in its place.
func (r *Result) Follow(a int) int {
	k := sort.Search(len(r.Ops), func(k int) bool { return r.Ops[k].AEnd >= a })
	if k == len(r.Ops) {
		return max(1, r.BLines)
	}
	if op := r.Ops[k]; op.Kind == Equal {
		return op.BStart + a - op.AStart
	}
	return max(1, min(r.Ops[k].BStart+1, r.BLines))
}

// Lines compares two texts. Of a canceled comparison all that differs is one replaced block.
func Lines(ctx context.Context, a, b []byte, o Options) *Result {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	r := &Result{ANoNewline: noNewline(a), BNoNewline: noNewline(b)}
	x, y := NewText(a), NewText(b)
	r.ALines, r.BLines = x.Len(), y.Len()
	n, m := r.ALines, r.BLines
	head := 0
	for head < min(n, m) && bytes.Equal(x.raw(head), y.raw(head)) {
		head++
	}
	for n > head && m > head && bytes.Equal(x.raw(n-1), y.raw(m-1)) {
		n, m = n-1, m-1
	}
	r.match(0, 0, head)
	r.middle(ctx, x, y, head, n, m, o.Timeout)
	r.match(n, m, r.ALines-n)
	r.change(r.ALines, r.BLines)
	return r
}

// exactCells is the largest product of two numbers of lines that are compared whatever the clock says: that takes milliseconds, and a
// busy machine must not make another result of them.
const exactCells = 1 << 18

// middle compares lines head to n-1 of x with lines head to m-1 of y. Lines that only one of them has are not worth go-diff's time.
func (r *Result) middle(ctx context.Context, x, y Text, head, n, m int, timeout time.Duration) {
	symbols := map[string]rune{}
	for i := head; i < n; i++ {
		symbols[string(x.raw(i))] = 0
	}
	var inA, inB []int
	var symbolsA, symbolsB []rune
	for j := head; j < m; j++ {
		line := y.raw(j)
		s, ok := symbols[string(line)]
		if !ok {
			continue
		}
		if s == 0 {
			s = symbol(len(symbolsB))
			symbols[string(line)] = s
		}
		inB, symbolsB = append(inB, j), append(symbolsB, s)
	}
	for i := head; i < n; i++ {
		if s := symbols[string(x.raw(i))]; s != 0 {
			inA, symbolsA = append(inA, i), append(symbolsA, s)
		}
	}
	switch {
	case len(inA) == 0 || len(inB) == 0:
		return
	case len(inA) == 1 && len(inB) == 1: // go-diff fails with these
		r.match(inA[0], inB[0], 1)
		return
	}
	var deadline time.Time // none
	if len(inA)*len(inB) > exactCells {
		deadline = time.Now().Add(timeout)
		if r.Approximate = ctx.Err() != nil || len(inB) > maxSymbols; r.Approximate {
			return
		}
	}
	// Without a timeout of its own go-diff skips a step that is quadratic and heeds no clock.
	engine := diffmatchpatch.New()
	engine.DiffTimeout = 0
	i, j := 0, 0
	for _, d := range engine.DiffBisect(string(symbolsA), string(symbolsB), deadline) {
		k := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			i += k
		case diffmatchpatch.DiffInsert:
			j += k
		case diffmatchpatch.DiffEqual:
			for range k {
				r.match(inA[i], inB[j], 1)
				i, j = i+1, j+1
			}
		}
	}
	r.Approximate = !deadline.IsZero() && time.Now().After(deadline)
}

// maxSymbols is about how many different lines runes can stand for.
const maxSymbols = 1_000_000

// symbol is a rune for a number: one that survives a conversion to a string, and neither a letter nor white space, which go-diff would
// take notice of.
func symbol(n int) rune { return rune(0xe000 + n) }

// match records that lines from i on of a are equal to those from j on of b. Matches come in rising order; what is between two is changed.
func (r *Result) match(i, j, n int) {
	if n == 0 {
		return
	}
	r.change(i, j)
	if last := len(r.Ops) - 1; last >= 0 && r.Ops[last].Kind == Equal {
		r.Ops[last].AEnd += n
		r.Ops[last].BEnd += n
	} else {
		r.Ops = append(r.Ops, Op{Kind: Equal, AStart: i, AEnd: i + n, BStart: j, BEnd: j + n})
	}
	r.a, r.b = i+n, j+n
}

// change records the block that ends before line i of a and line j of b.
func (r *Result) change(i, j int) {
	if i > r.a {
		r.Ops = append(r.Ops, Op{Kind: Delete, AStart: r.a, AEnd: i, BStart: r.b, BEnd: r.b})
		r.Removed += i - r.a
	}
	if j > r.b {
		r.Ops = append(r.Ops, Op{Kind: Insert, AStart: i, AEnd: i, BStart: r.b, BEnd: j})
		r.Added += j - r.b
	}
	r.a, r.b = i, j
}

// countsTimeout is short because the watcher needs counts for every change.
const countsTimeout = 50 * time.Millisecond

// Counts returns the numbers of added and removed lines, in a quarter of the time allowed for display. ok is false if the numbers may be
// too large.
func Counts(a, b []byte) (added, removed int, ok bool) {
	r := Lines(context.Background(), a, b, Options{Timeout: countsTimeout})
	return r.Added, r.Removed, !r.Approximate
}
