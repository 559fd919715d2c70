package bigfile

import (
	"context"
	"math"
	"strings"
	"sync"

	"memcurator/render/literal"
)

// Query is literal text to find within one line. An empty text, or one with a newline, is never found.
//
// With Fold, upper and lower case are equal by Unicode's simple case folding, as in [strings.EqualFold]. A text that is not UTF-8 is
// searched literally.
type Query struct {
	Text string
	Fold bool
}

// SmartCase is the query that a user means by a text: a capital makes the search match case, lower case matches both, as in other pagers.
func SmartCase(text string) Query { return Query{Text: text, Fold: text == strings.ToLower(text)} }

// Hit is one match of a query. A folded hit may differ from the query in length.
type Hit struct {
	Line   int   // 0-based; -1 if the index has not reached it
	Offset int64 // where that line begins; -1 if Line is -1
	Start  int64 // bytes from the beginning of the text
	End    int64
}

// Find returns the first hit at or after from; backward, the last one that starts before from. It needs no index and holds one chunk in
// memory. Wrapping around at the ends is up to the caller.
func (f *File) Find(ctx context.Context, q Query, from int64, backward bool) (Hit, bool, error) {
	ix := f.now.Load()
	m := q.ready()
	if m == nil {
		return Hit{}, false, nil
	}
	search := f.findForward
	if backward {
		search = f.findBackward
	}
	start, end, err := search(ctx, ix.src, m, max(from, 0))
	if err != nil || start < 0 {
		return Hit{}, false, err
	}
	h := Hit{Line: -1, Offset: -1, Start: start, End: end}
	if line, ok := f.lineAt(ix, start); ok {
		if off, ok := f.lineStart(ix, line); ok {
			h.Line, h.Offset = line, off
		}
	}
	return h, true, nil
}

// findForward returns -1 if there is no hit.
func (f *File) findForward(ctx context.Context, src Source, m *literal.Text, from int64) (start, end int64, err error) {
	start = -1
	err = f.windows(ctx, src, m, from, func(s *literal.Scan, base int64, sure int) (int, bool) {
		i, j := s.Next(0)
		if i < 0 || i >= sure {
			return sure, true
		}
		start, end = base+int64(i), base+int64(j)
		return 0, false
	})
	return start, end, err
}

// windows passes the text from off to visit in overlapping windows, so that a hit that starts before sure is entirely in its window.
// visit returns where in the window to continue, and whether to.
func (f *File) windows(ctx context.Context, src Source, m *literal.Text, off int64,
	visit func(s *literal.Scan, base int64, sure int) (next int, more bool)) error {
	buf := f.buffer(m)
	defer f.release(buf)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, eof, err := readFull(src, *buf, off)
		if err != nil {
			return err
		}
		sure := n - (m.Longest() - 1)
		if eof {
			sure = n
		}
		next, more := visit(m.In((*buf)[:n]), off, sure)
		if !more || eof {
			return nil
		}
		off += int64(next)
	}
}

// findBackward searches from the window that ends at from to the beginning of the text. It returns -1 if there is no hit.
func (f *File) findBackward(ctx context.Context, src Source, m *literal.Text, from int64) (start, end int64, err error) {
	size, err := src.Size()
	if err != nil {
		return -1, 0, err
	}
	buf := f.buffer(m)
	defer f.release(buf)
	step := int64(len(*buf) - (m.Longest() - 1))
	for from = min(from, size); from > 0; {
		if err := ctx.Err(); err != nil {
			return -1, 0, err
		}
		base := max(0, from-step)
		n, _, err := readFull(src, (*buf)[:from-base+int64(m.Longest()-1)], base)
		if err != nil {
			return -1, 0, err
		}
		if i, j := last(m.In((*buf)[:n]), int(from-base)); i >= 0 {
			return base + int64(i), base + int64(j), nil
		}
		from = base
	}
	return -1, 0, nil
}

// Count counts the hits in the whole text; overlapping hits count once, from the left. report may be nil; it is called on this goroutine,
// at most every 100 ms, with the hits and bytes so far.
func (f *File) Count(ctx context.Context, q Query, report func(hits int, done int64)) (int, error) {
	return f.countBefore(ctx, q, math.MaxInt64, report)
}

// CountBefore is Count for the hits that start before place.
func (f *File) CountBefore(ctx context.Context, q Query, place int64) (int, error) {
	return f.countBefore(ctx, q, place, nil)
}

func (f *File) countBefore(ctx context.Context, q Query, place int64, report func(hits int, done int64)) (int, error) {
	m := q.ready()
	if m == nil {
		return 0, nil
	}
	hits := 0
	pace := newPace(f.tuning.every)
	err := f.windows(ctx, f.now.Load().src, m, 0, func(s *literal.Scan, base int64, sure int) (int, bool) {
		at := 0
		for at < sure {
			i, j := s.Next(at)
			if i < 0 || i >= sure {
				break
			}
			if base+int64(i) >= place {
				return i, false
			}
			hits++
			at = j
		}
		at = max(at, sure)
		if report != nil && pace.due() {
			report(hits, base+int64(at))
		}
		return at, true
	})
	return hits, err
}

// Matches returns the hits in one visible text as pairs of start and end, left to right
// without overlaps, for highlighting.
func (f *File) Matches(line []byte, q Query) [][2]int { return q.Matcher()(line) }

// Matcher returns a function that finds the hits in one line as Matches does, for callers with many lines in memory. It is safe for
// concurrent use.
func (q Query) Matcher() func(line []byte) [][2]int {
	m := q.ready()
	if m == nil {
		return func([]byte) [][2]int { return nil }
	}
	return func(line []byte) (spans [][2]int) {
		s := m.In(line)
		for at := 0; ; {
			i, j := s.Next(at)
			if i < 0 {
				return spans
			}
			spans = append(spans, [2]int{i, j})
			at = j
		}
	}
}

// ready is what finds the text; nil if it is never found.
func (q Query) ready() *literal.Text {
	if q.Text == "" || strings.Contains(q.Text, "\n") {
		return nil
	}
	return literal.New(q.Text, q.Fold, false)
}

// last returns the last hit that starts before end, or -1.
func last(s *literal.Scan, end int) (i, j int) {
	i, j = -1, -1
	for at := 0; at < end; {
		a, b := s.Next(at)
		if a < 0 || a >= end {
			break
		}
		i, j = a, b
		at = a + 1
	}
	return i, j
}

// buffers keeps search buffers of the usual size from one keystroke to the next.
var buffers sync.Pool

// buffer returns a buffer of one chunk, or more if the longest hit needs it.
func (f *File) buffer(m *literal.Text) *[]byte {
	n := max(f.tuning.chunk, 4*m.Longest())
	if b, ok := buffers.Get().(*[]byte); ok && len(*b) == n {
		return b
	}
	b := make([]byte, n)
	return &b
}

func (f *File) release(b *[]byte) {
	if len(*b) == standard.chunk {
		buffers.Put(b)
	}
}
