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

// A view of a large file by several goroutines. Each takes the next chunk of the file: in
// the first pass it checks it and counts its newlines, in the second it renders its rows,
// whose numbers are known by then. The caller's goroutine writes the rendered chunks in
// their order. What is unusual about a text is left to the pass of one goroutine.

// wideChunk is what a goroutine takes at a time, in bytes: enough to make the turns cheap,
// and its rows still fit the processor's cache. A variable for tests, which must not
// change it while a view runs.
var wideChunk int64 = 256 << 10

const (
	// wideReads is in how many reads a chunk is taken, so that what was read is still
	// in the processor's cache when it is looked at.
	wideReads = 2
	// maxWideWorkers bounds the memory, and more of them wait for the memory anyway.
	maxWideWorkers = 8
	// maxWideChunks bounds what is noted of each chunk, to about 1 MiB (32 GiB of text).
	maxWideChunks = 1 << 17
)

// wideText is a text that was checked, with what is known of its chunks.
type wideText struct {
	f       io.ReaderAt
	size    int64
	workers int
	before  []int  // newlines before each chunk, and one entry more for the whole text
	open    []bool // by chunk: it begins inside a line
}

// scanWide checks a text and counts its newlines. It returns nil for a text that one goroutine
// should take: since it is small, or there is anything to say about it.
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

// scanChunk checks chunk i, and notes its newlines and how it ends for the chunk after
// it. A rune that a border cuts is looked at with what follows the border; both sides
// find its beginning in the same three bytes before the border.
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

// borders are the offsets between which chunk i lies.
func (t *wideText) borders(i int) (from, to int64) {
	from = int64(i) * wideChunk
	return from, min(from+wideChunk, t.size)
}

// measure fills in what a scan by one goroutine finds out. It reports false where the text
// is no longer as it was counted.
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

// lineStart is the offset just after the nth newline, which the text had when it was
// counted; below 0 where it is elsewhere now.
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
	index int // of the chunks of the span
	out   []byte
	err   error
}

// rows writes the rows of a span that it takes. There is one piece more than goroutines
// that render, for the one that is being written; who gets a piece to fill takes the
// next chunk, so that those on the way follow each other without a gap.
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
	ready := make([]*widePiece, len(pieces)) // by index, modulo their number
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

// render makes the rows of chunk i, as far as it is part of the span. A chunk without the
// lines that were counted in it was overwritten meanwhile.
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

	// text keeps room for the number of one row more.
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

// start is the first row that begins in chunk i or later, and whether the chunk begins inside
// the row before it.
func (t *wideText) start(i int) (row int, open bool) {
	row = t.before[i] + 1
	if t.open[i] {
		row++
	}
	return row, t.open[i]
}

// noRoom is where rows go for which there is no room: more than were counted.
type noRoom struct{}

func (noRoom) Write([]byte) (int, error) { return 0, backend.ErrChanged }
