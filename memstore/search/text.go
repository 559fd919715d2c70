package search

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// Counts are what [Matcher.Lines] saw.
type Counts struct {
	Lines, Matches int
	CutLines       int // lines of which a regular expression saw only the first LineMax bytes
}

// Lines calls visit for each line with matches in the first size bytes of r, until it
// returns false. The Hit holds until visit returns, what its slices hold is the callee's. Memory stays bounded whatever the lines are.
func (m *Matcher) Lines(ctx context.Context, r io.ReaderAt, size int64, visit func(*Hit) bool) (Counts, error) {
	var c Counts
	l := newLines(m, func(h *Hit) bool {
		c.Lines++
		c.Matches += h.Matches
		return visit(h)
	}, nil)
	defer l.release()
	err := l.read(ctx, r, 0, size, false)
	c.CutLines = l.cut
	return c, err
}

// Count counts the matches in the first size bytes of r that start before a place; report
// (nil: none) hears from time to time how many there are so far and up to where the text was looked at.
func (m *Matcher) Count(ctx context.Context, r io.ReaderAt, size, before int64, report func(matches int, done int64)) (int, error) {
	n := 0
	var done int64
	err := m.each(ctx, r, 0, size, func(i, _ int64) bool {
		if i >= before {
			return false
		}
		n++
		return true
	}, func(read int) {
		done += int64(read)
		if report != nil {
			report(n, done)
		}
	})
	return n, err
}

func (m *Matcher) each(ctx context.Context, r io.ReaderAt, from, size int64, visit func(start, end int64) bool, block func(int)) error {
	l := newLines(m, nil, block)
	defer l.release()
	l.each = visit
	return l.read(ctx, r, from, size, false)
}

// Find returns the first match that starts at from or behind it; backward, the last one
// that starts before from. Matches are those of [Matcher.Spans] in the whole line: they
// do not overlap. ok is false when there is none.
func (m *Matcher) Find(ctx context.Context, r io.ReaderAt, size, from int64, backward bool) (match [2]int64, ok bool, err error) {
	if backward {
		return m.findBackward(ctx, r, size, min(from, size))
	}
	from = max(from, 0)
	start, err := m.begin(ctx, r, min(from, size))
	if err != nil {
		return match, false, err
	}
	err = m.each(ctx, r, start, size, func(i, j int64) bool {
		if i < from {
			return true
		}
		match, ok = [2]int64{i, j}, true
		return false
	}, nil)
	return match, ok, err
}

// findBackward looks at pieces of whole lines, from the end to the start.
func (m *Matcher) findBackward(ctx context.Context, r io.ReaderAt, size, from int64) (match [2]int64, ok bool, err error) {
	end := min(size, from+int64(m.longest))
	if m.re != nil {
		if end, err = lineEnd(r, from, size); err != nil {
			return match, false, err
		}
	}
	for from > 0 {
		start, err := m.begin(ctx, r, max(0, from-blockBytes))
		if err != nil {
			return match, false, err
		}
		err = m.each(ctx, r, start, end, func(i, j int64) bool {
			if i >= from {
				return false
			}
			match, ok = [2]int64{i, j}, true
			return true
		}, nil)
		if err != nil || ok {
			return match, ok, err
		}
		from, end = start, min(size, start+int64(max(0, m.longest-1)))
	}
	return match, false, nil
}

// lineEnd is where the line ends in which a place lies, as far as an expression may see it.
func lineEnd(r io.ReaderAt, at, size int64) (int64, error) {
	buf := make([]byte, min(lineMax, size-at))
	n, err := r.ReadAt(buf, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
		n = i
	}
	return at + int64(n), nil
}

// begin is where to begin to search for what is at a place: where its line begins. A
// literal can do with less of a very long line.
func (m *Matcher) begin(ctx context.Context, r io.ReaderAt, at int64) (int64, error) {
	buf := make([]byte, 4<<10)
	for least := at - lineMax; at > 0 && (m.re != nil || at > least); {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		from := max(0, at-int64(len(buf)))
		n, err := r.ReadAt(buf[:at-from], from)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		at = from
		if len(buf) < blockBytes {
			buf = make([]byte, 4*len(buf))
		}
	}
	return at, nil
}
