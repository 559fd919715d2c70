package diff

import (
	"bytes"
	"context"
	"slices"
	"sort"
	"time"
)

// Defaults of Options.
const (
	DefaultTimeout     = 200 * time.Millisecond
	DefaultContext     = 3
	defaultMaxDistinct = 200_000
)

// maxSymbols bounds Options.MaxDistinct: every different line becomes a rune
// for go-diff, and there are 1,112,064 of them.
const maxSymbols = 1_000_000

// Options control a comparison and its display. The zero value suits the UI.
type Options struct {
	// Timeout limits the comparison of the part that differs; 0 means
	// DefaultTimeout. Stripping the common head and tail runs at memory speed and
	// is never cut short, nor is a small part: see smallBytes.
	Timeout time.Duration
	// Context is the number of equal lines shown around a change: 0 means
	// DefaultContext, a negative number all lines.
	Context int
	// MaxDistinct is the maximum number of distinct lines for comparing the part
	// that differs as a whole; 0 means 200,000.
	MaxDistinct int
	// IgnoreSpace treats lines as equal if they differ only in white space, as
	// git diff -w does.
	IgnoreSpace bool
	// Breaks are lines of the first text, from 0 and ascending, that begin a part of their own, such as another file: no hunk goes
	// across one.
	Breaks []int
}

func (o Options) filled() Options {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Context == 0 {
		o.Context = DefaultContext
	}
	if o.MaxDistinct <= 0 {
		o.MaxDistinct = defaultMaxDistinct
	}
	o.MaxDistinct = min(o.MaxDistinct, maxSymbols)
	return o
}

// Kind is the type of an Op.
type Kind uint8

// Kinds of Op.
const (
	Equal Kind = iota
	Delete
	Insert
)

// String returns the kind's name.
func (k Kind) String() string {
	switch k {
	case Delete:
		return "delete"
	case Insert:
		return "insert"
	default:
		return "equal"
	}
}

// Op is a run of lines of one kind: a[AStart:AEnd] and b[BStart:BEnd], in
// lines from 0. A Delete has an empty range in b, an Insert one in a. In a
// changed block the Delete comes before the Insert, and there is at most one
// of each between two Equals.
type Op struct {
	Kind         Kind
	AStart, AEnd int
	BStart, BEnd int
}

// Result is the outcome of a comparison. It is immutable and safe for
// concurrent use.
type Result struct {
	Ops            []Op
	Added, Removed int // lines
	ALines, BLines int // all lines of the texts
	// Approximate: a part was not compared fully (time, size), so unchanged lines
	// may be shown as changed. The ops are correct nevertheless.
	Approximate bool
	// Rewritten: Approximate, and the texts have only their head and tail in
	// common: the middle is one replaced block.
	Rewritten bool
	// ANoNewline, BNoNewline: the text is not empty and its last line has
	// no newline.
	ANoNewline, BNoNewline bool
	// SpaceIgnored: equal lines may differ in white space. Such a result is for
	// display: Format and Apply need an exact one.
	SpaceIgnored bool
}

// Same reports whether the texts are equal.
func (r *Result) Same() bool { return r.Added == 0 && r.Removed == 0 }

// Follow returns the line of b, from 1, that line a of a became; for a
// removed line, the one in its place.
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

// Lines compares two texts. It always returns a result, even if ctx is
// canceled or the time is over: whatever has not been compared by then is a
// replaced block.
func Lines(ctx context.Context, a, b []byte, o Options) *Result {
	if o.IgnoreSpace {
		return linesIgnoringSpace(ctx, a, b, o)
	}
	o = o.filled()
	// The last tenth is for the step in progress when the time is over.
	deadline := time.Now().Add(o.Timeout - o.Timeout/10)
	d := &differ{ctx: ctx, deadline: deadline, maxDistinct: o.MaxDistinct}

	head := commonHead(a, b)
	tail := commonTail(a[head:], b[head:])
	midA, midB := a[head:len(a)-tail], b[head:len(b)-tail]
	headLines, tailLines := countLines(a[:head]), countLines(a[len(a)-tail:])
	midALines, midBLines := countLines(midA), countLines(midB)
	aLines, bLines := headLines+midALines+tailLines, headLines+midBLines+tailLines
	d.small = midALines*midBLines <= exactCells && len(midA)+len(midB) <= smallBytes

	d.out.match(0, 0, headLines)
	d.baseA, d.baseB = headLines, headLines
	d.middle(midA, midB)
	d.out.match(aLines-tailLines, bLines-tailLines, tailLines)
	d.out.finish(aLines, bLines)

	return &Result{
		Ops: d.out.ops, Added: d.out.added, Removed: d.out.removed,
		ALines: aLines, BLines: bLines,
		Approximate: d.gaveUp, Rewritten: d.gaveUp && d.matched == 0,
		ANoNewline: noNewline(a), BNoNewline: noNewline(b),
	}
}

// countsTimeout is short because the watcher needs counts for every change.
const countsTimeout = 50 * time.Millisecond

// Counts returns the numbers of added and removed lines, in a quarter of the
// time allowed for display. ok is false if the numbers may be too large.
func Counts(a, b []byte) (added, removed int, ok bool) {
	r := Lines(context.Background(), a, b, Options{Timeout: countsTimeout})
	return r.Added, r.Removed, !r.Approximate
}

// builder collects matches in rising order; everything between two matches is
// a changed block. So a comparison may stop anywhere and is still correct.
type builder struct {
	ops            []Op
	a, b           int // lines written so far
	added, removed int
}

// match records that a[i:i+n] equals b[j:j+n].
func (o *builder) match(i, j, n int) {
	if n == 0 {
		return
	}
	o.change(i, j)
	if last := len(o.ops) - 1; last >= 0 && o.ops[last].Kind == Equal {
		o.ops[last].AEnd += n
		o.ops[last].BEnd += n
	} else {
		o.add(Op{Kind: Equal, AStart: i, AEnd: i + n, BStart: j, BEnd: j + n})
	}
	o.a, o.b = i+n, j+n
}

// change records the block that ends before line i of a and line j of b.
func (o *builder) change(i, j int) {
	if i > o.a {
		o.add(Op{Kind: Delete, AStart: o.a, AEnd: i, BStart: o.b, BEnd: o.b})
		o.removed += i - o.a
	}
	if j > o.b {
		o.add(Op{Kind: Insert, AStart: i, AEnd: i, BStart: o.b, BEnd: j})
		o.added += j - o.b
	}
	o.a, o.b = i, j
}

// add doubles the capacity when it is full: append alone grows large slices
// by a quarter, and copying a million ops that often takes longer than
// finding them.
func (o *builder) add(op Op) {
	if len(o.ops) == cap(o.ops) {
		o.ops = slices.Grow(o.ops, len(o.ops)+16)
	}
	o.ops = append(o.ops, op)
}

func (o *builder) finish(aLines, bLines int) { o.change(aLines, bLines) }

func noNewline(text []byte) bool {
	return len(text) > 0 && text[len(text)-1] != '\n'
}

// countLines also counts a last line without a newline.
func countLines(text []byte) int {
	n := bytes.Count(text, newline)
	if noNewline(text) {
		n++
	}
	return n
}

var newline = []byte{'\n'}
