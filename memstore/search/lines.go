package search

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"unicode/utf8"
)

const (
	// blockBytes is how much is read at a time; it stays in the cache of a processor.
	blockBytes = 512 << 10
	// lineMax is how much of one line a regular expression sees, in bytes.
	lineMax = 256 << 10
	// textMax is how much of a line a [Hit] keeps, in bytes.
	textMax = 512
	// textBefore is how much of it stands before the first match.
	textBefore = 120
)

// Span is a match, in bytes from the start of what it was looked for in.
type Span struct{ Start, End int }

// Hit is a line with matches.
type Hit struct {
	Line    int    // from 1
	Offset  int64  // where the line begins, in bytes from the start of the text
	Start   int64  // of the first match, likewise
	End     int64  // of the first match
	Matches int    // in the whole line, not overlapping, from the left
	Text    []byte // the line around the first match, at most textMax bytes, cut between characters
	From    int64  // byte of the line where Text begins
	More    bool   // the line goes on behind Text
	Spans   []Span // the matches that Text holds
}

// finder looks for matches in one block after the other. It has one owner.
type finder interface {
	// Start takes a block; what was said of the one before is forgotten.
	Start(b []byte)
	// Next returns the first match that starts at from or behind it, -1 for none. from
	// must not get smaller within a block.
	Next(from int) (start, end int)
}

// lines turns matches into hits, a block at a time. It is used for one text after the
// other by one goroutine.
type lines struct {
	m      *Matcher
	find   finder
	emit   func(*Hit) bool             // false: enough of this text
	block  func(n int)                 // told of every block read; may be nil
	each   func(start, end int64) bool // when set it gets the bare matches, and emit nothing
	buf    []byte                      // as long as a block
	most   int                         // LineMax, less in tests
	keep   bool                        // whether hits get their text
	binary bool
	cut    int // lines seen only in part

	// Offsets in the text.
	b         []byte
	base      int64 // of b
	line      int   // number of the line at counted, from 1
	lineStart int64
	counted   int64 // up to where line feeds are counted
	done      int64 // before it no further match begins
	pending   Hit
	has       bool // pending is under way
	ended     bool
	last      bool // no block follows
}

func newLines(m *Matcher, emit func(*Hit) bool, block func(int)) *lines {
	buf := blocks.Get().(*[]byte)
	return &lines{m: m, find: m.finder(), emit: emit, block: block, buf: *buf, most: lineMax, keep: true}
}

// blocks keeps buffers from one search to the next.
var blocks = sync.Pool{New: func() any { b := make([]byte, blockBytes); return &b }}

// release gives the buffer back; the lines cannot be used any more.
func (l *lines) release() {
	if len(l.buf) == blockBytes {
		blocks.Put(&l.buf)
	}
}

// read looks through the bytes from off, which begins a line, to size. With probe a text
// with a NUL byte near its start is binary: only the start of it is searched.
func (l *lines) read(ctx context.Context, r io.ReaderAt, off, size int64, probe bool) error {
	l.line, l.lineStart, l.counted, l.done = 1, off, off, off
	l.has, l.ended, l.binary = false, false, false
	skipping := false
	for first := true; off < size && !l.ended; first = false {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.ReadAt(l.buf[:min(int64(len(l.buf)), size-off)], off)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		last := off+int64(n) >= size || err != nil
		l.b, l.base = l.buf[:n], off
		if first && probe && bytes.IndexByte(l.b[:min(n, binaryHead)], 0) >= 0 {
			l.binary, size = true, min(size, binaryMax)
			last = last || off+int64(n) >= size
		}
		l.last = last
		var next int
		next, skipping = l.window(last, skipping)
		if l.block != nil {
			l.block(min(n, next))
		}
		if last {
			break
		}
		off += int64(next)
	}
	l.flush()
	return nil
}

// window searches one block and returns where in it the next one begins.
func (l *lines) window(last, skipping bool) (next int, skip bool) {
	if l.m.re == nil {
		sure := len(l.b)
		if !last {
			sure = max(1, len(l.b)-l.m.longest-textMax)
		}
		l.matches(0, sure, sure)
		if last {
			return len(l.b), false
		}
		l.done = max(l.done, l.base+int64(sure))
		l.count(sure)
		return max(1, sure-textBefore-utf8.UTFMax), false
	}
	return l.wholeLines(last, skipping)
}

// wholeLines is window for expressions, which have to see a line as a whole. Of a line that
// is longer than LineMax they see the start; the rest is passed over.
func (l *lines) wholeLines(last, skipping bool) (next int, skip bool) {
	from := 0
	if skipping {
		i := bytes.IndexByte(l.b, '\n')
		if i < 0 {
			l.count(len(l.b))
			return len(l.b), true
		}
		from = i + 1
	}
	end := len(l.b)
	if !last {
		end = bytes.LastIndexByte(l.b, '\n') + 1
	}
	if end <= from && !last {
		if from > 0 {
			l.count(from)
			return from, false
		}
		n := min(l.most, len(l.b))
		l.matches(0, n, n)
		l.cut++
		l.count(n)
		return n, true
	}
	l.matches(from, end, end)
	l.count(end)
	return max(1, end), false
}

// matches takes the matches that start in [from, sure) of the block; what the finder
// sees ends at end, for expressions.
func (l *lines) matches(from, sure, end int) {
	if p, ok := l.find.(*patternScan); ok {
		p.most = l.most
		p.Start(l.b[:end])
	} else {
		l.find.Start(l.b)
	}
	// The blocks overlap, and a match that began in the one before may reach into this one.
	from = max(from, int(l.done-l.base))
	for !l.ended {
		i, j := l.find.Next(from)
		if i < 0 || i >= sure {
			break
		}
		l.match(i, j)
		from = j
	}
	if p, ok := l.find.(*patternScan); ok {
		l.cut += p.cut
		p.cut = 0
	}
}

func (l *lines) match(i, j int) {
	l.count(i)
	if l.ended { // by the line before, which count has handed on
		return
	}
	l.done = l.base + int64(j)
	if l.each != nil {
		if !l.each(l.base+int64(i), l.done) {
			l.ended = true
		}
		return
	}
	if l.has && l.pending.Line == l.line {
		l.again(i, j)
		return
	}
	l.has = true
	l.pending = Hit{
		Line: l.line, Offset: l.lineStart, Matches: 1,
		Start: l.base + int64(i), End: l.base + int64(j),
	}
	if l.binary {
		l.flush()
		return
	}
	if l.keep {
		l.text(i, j)
	}
}

// again adds a match to the line under way.
func (l *lines) again(i, j int) {
	h := &l.pending
	h.Matches++
	start := l.base + int64(i) - h.Offset - h.From
	if h.Text != nil && start < int64(len(h.Text)) {
		h.Spans = append(h.Spans, Span{int(start), min(len(h.Text), int(start)+j-i)})
	}
}

// text keeps the part of the line around a match.
func (l *lines) text(i, j int) {
	h := &l.pending
	from := max(0, int(l.lineStart-l.base), i-textBefore)
	if l.base+int64(from) > l.lineStart {
		for from < i && !utf8.RuneStart(l.b[from]) {
			from++
		}
	}
	to := min(len(l.b), from+textMax)
	part := l.b[from:to]
	if k := bytes.IndexByte(l.b[i:to], '\n'); k >= 0 {
		part = l.b[from : i+k]
	} else if to < len(l.b) && l.b[to] != '\n' || to == len(l.b) && !l.last {
		part, h.More = wholeRunes(part), true
	}
	if n := len(part); !h.More && n > 0 && part[n-1] == '\r' && from+n > j {
		part = part[:n-1]
	}
	h.Text = append(make([]byte, 0, len(part)), part...)
	h.From = l.base + int64(from) - l.lineStart
	h.Spans = []Span{{i - from, min(len(part), j-from)}}
}

// wholeRunes drops a character that was cut off at the end.
func wholeRunes(b []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-n:]) {
				return b[:len(b)-n]
			}
			break
		}
	}
	return b
}

// count follows the lines up to a place in the block.
func (l *lines) count(to int) {
	from := int(l.counted - l.base)
	if to <= from || l.each != nil {
		return
	}
	passed := l.b[from:to]
	l.counted = l.base + int64(to)
	n := bytes.Count(passed, lineFeed)
	if n == 0 {
		return
	}
	l.flush()
	l.line += n
	l.lineStart = l.base + int64(from+bytes.LastIndexByte(passed, '\n')+1)
}

var lineFeed = []byte{'\n'}

// flush hands on the line under way.
func (l *lines) flush() {
	if !l.has {
		return
	}
	l.has = false
	if !l.emit(&l.pending) {
		l.ended = true
	}
}
