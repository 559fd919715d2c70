package memstore

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// A view of a large file uses several goroutines. Each takes the next chunk of the file: the first pass checks it and counts its
// newlines, the second renders its rows, whose numbers are known by then. The caller's goroutine writes the rendered chunks in order.
// Texts with anything unusual fall back to a single goroutine.

// wideChunk is the number of bytes that a goroutine takes at a time: enough to make synchronization cheap, and little enough for its rows
// to fit the processor's cache. It is a variable for tests, which must not change it while a view runs.
var wideChunk int64 = 256 << 10

const (
	// wideReads is the number of reads for a chunk, so that the bytes are still
	// in the processor's cache when they are checked.
	wideReads = 2
	// maxWideWorkers bounds the memory; further workers would only wait for memory bandwidth.
	maxWideWorkers = 8
	// maxWideChunks bounds the bookkeeping to about 1 MiB (32 GiB of text).
	maxWideChunks = 1 << 17
)

// wideText is a checked text and the bookkeeping of its chunks.
type wideText struct {
	f       io.ReaderAt
	size    int64
	workers int
	before  []int  // newlines before each chunk, and one more entry for the whole text
	open    []bool // by chunk: it begins in the middle of a line
}

// scanWide checks a text and counts its newlines. It returns nil for a text that needs a single goroutine: because it is small, or has
// any problem to report.
func scanWide(f io.ReaderAt, size int64, r *rules, workers int) *wideText {
	chunks := (size + wideChunk - 1) / wideChunk
	if min(int64(workers), chunks) < 2 || chunks > maxWideChunks {
		return nil
	}
	t := &wideText{
		f: f, size: size, workers: min(workers, maxWideWorkers, int(chunks)),
		before: make([]int, chunks+1), open: make([]bool, chunks+1),
	}
	var next, newlines atomic.Int64
	var refused atomic.Bool
	var group sync.WaitGroup
	for range t.workers {
		group.Go(func() {
			buf := make([]byte, wideRead()+utf8.UTFMax-1)
			for i := next.Add(1); i <= chunks && !refused.Load(); i = next.Add(1) {
				if !t.scanChunk(int(i-1), r, buf) || r.viewRows(int(newlines.Add(int64(t.before[i]))), true) > maxRows {
					refused.Store(true)
				}
			}
		})
	}
	group.Wait()
	if refused.Load() {
		return nil
	}
	for i := range chunks {
		t.before[i+1] += t.before[i]
	}
	if r.viewRows(t.before[chunks], t.ended()) > maxRows {
		return nil
	}
	return t
}

// ended reports whether the text ends in a newline.
func (t *wideText) ended() bool { return !t.open[len(t.open)-1] }

func wideRead() int64 { return (wideChunk + wideReads - 1) / wideReads }

// scanChunk checks chunk i, and records its newlines and how it ends for the next chunk. A rune across a border is checked with the bytes
// after the border; both sides find its beginning in the same three bytes before the border.
func (t *wideText) scanChunk(i int, r *rules, buf []byte) bool {
	at, end := t.borders(i)
	for at < end {
		lead := min(utf8.UTFMax-1, at)
		p := buf[:lead+min(int64(len(buf))-lead, end-at)]
		if n, _ := t.f.ReadAt(p, at-lead); n < len(p) {
			return false
		}
		at += int64(len(p)) - lead
		part := p[lead-int64(cutRune(p[:lead])):]
		if at < t.size {
			part = part[:len(part)-cutRune(p)]
		}
		if plain, err := r.shown(part); err != nil || !plain {
			return false
		}
		t.before[i+1] += bytes.Count(p[lead:], newline)
		t.open[i+1] = p[len(p)-1] != '\n'
	}
	return true
}

// borders returns the offsets of the beginning and the end of chunk i.
func (t *wideText) borders(i int) (from, to int64) {
	from = int64(i) * wideChunk
	return from, min(from+wideChunk, t.size)
}

// measure fills in what a scan by one goroutine would find. It returns false if the text has changed since it was counted.
func (t *wideText) measure(m *measure, buf []byte) bool {
	m.newlines, m.size = t.before[len(t.before)-1], t.size
	m.rows = m.rules.viewRows(m.newlines, t.ended())
	if m.asked[1] < 0 {
		m.asked[1] = max(0, m.rows+m.asked[1])
	}
	m.from, m.to = 0, -1
	if start := m.asked[0] - 1; start > 0 && start <= m.newlines {
		if m.from = t.lineStart(start, buf); m.from < 0 {
			return false
		}
	}
	if end := m.asked[1]; end > 0 && end <= m.newlines {
		if m.to = t.lineStart(end, buf) - 1; m.to < 0 {
			return false
		}
	}
	return true
}

// lineStart is the offset just after the nth newline, which the text had when it was counted; negative if the text has changed since.
func (t *wideText) lineStart(n int, buf []byte) int64 {
	i, _ := slices.BinarySearch(t.before, n)
	n -= t.before[i-1]
	for at, end := t.borders(i - 1); at < end; {
		got, _ := t.f.ReadAt(buf[:min(int64(len(buf)), end-at)], at)
		if got == 0 {
			break
		}
		p := buf[:got]
		found := bytes.Count(p, newline)
		if found >= n {
			return at + int64(lineStart(p, n))
		}
		n -= found
		at += int64(got)
	}
	return -1
}

// takes reports whether a span is large enough for several goroutines.
func (t *wideText) takes(p span) bool {
	return t != nil && p.rows() > 0 && p.from/wideChunk < (p.to-1)/wideChunk
}

// widePiece is a rendered chunk on its way to the writer.
type widePiece struct {
	index int // chunk number within the span
	out   []byte
	err   error
}

// rows writes the rows of a span. There is one more piece than rendering goroutines, for the piece being written. Whoever gets an empty
// piece takes the next chunk, so that the pieces in flight are always consecutive.
func (t *wideText) rows(w io.Writer, p span) error {
	first := int(p.from / wideChunk)
	count := int((p.to-1)/wideChunk) - first + 1
	workers := min(t.workers, count)
	pieces := make([]widePiece, workers+1)
	free, done := make(chan *widePiece, len(pieces)), make(chan *widePiece, len(pieces))
	for i := range pieces {
		free <- &pieces[i]
	}
	stop := make(chan struct{})
	var next atomic.Int64
	var group sync.WaitGroup
	defer group.Wait()
	defer close(stop)
	for range workers {
		group.Go(func() {
			buf := make([]byte, wideRead())
			for {
				select {
				case <-stop:
					return
				case piece := <-free:
					if piece.index = int(next.Add(1)) - 1; piece.index >= count {
						return
					}
					piece.err = t.render(piece, p, first+piece.index, buf)
					done <- piece
				}
			}
		})
	}
	ready := make([]*widePiece, len(pieces)) // by index modulo the number of pieces
	for at := 0; at < count; {
		piece := <-done
		ready[piece.index%len(ready)] = piece
		for piece = ready[at%len(ready)]; piece != nil; piece = ready[at%len(ready)] {
			ready[at%len(ready)] = nil
			if piece.err != nil {
				return piece.err
			}
			if _, err := w.Write(piece.out); err != nil {
				return err
			}
			at++
			free <- piece
		}
	}
	return nil
}

// render renders the rows of chunk i that belong to the span. It fails if the chunk no longer has the lines counted in it.
func (t *wideText) render(piece *widePiece, p span, i int, buf []byte) error {
	from, to := t.borders(i)
	row, open := p.first, false
	if from > p.from {
		row, open = t.start(i)
	}
	next, openAfter := p.last+1, true // the last row has no newline
	if to < p.to {
		next, openAfter = t.start(i + 1)
	}
	from, to = max(from, p.from), min(to, p.to)

	// text needs room for one row number more.
	need := int(to-from) + (next-row+1)*rowPrefix
	if cap(piece.out) < need {
		piece.out = make([]byte, 0, need+need/8)
	}
	r := rowWriter{w: noRoom{}, out: piece.out[:0], begun: open}
	r.setLabel(row)
	if err := r.readText(t.f, span{from: from, to: to}, buf); err != nil {
		return err
	}
	if to == p.to && !r.begun {
		r.begin() // the empty row after a final newline
	}
	if r.count != next-row || r.begun != openAfter {
		return backend.ErrChanged
	}
	piece.out = r.out
	return nil
}

// start is the first row that begins in chunk i or later, and whether the chunk begins inside the row before it.
func (t *wideText) start(i int) (row int, open bool) {
	row = t.before[i] + 1
	if t.open[i] {
		row++
	}
	return row, t.open[i]
}

// noRoom is a writer that fails: there are more rows than were counted.
type noRoom struct{}

func (noRoom) Write([]byte) (int, error) { return 0, backend.ErrChanged }
