// Package bigfile shows texts of any size without holding them in memory: one of 1 GB, of a million lines, or with a line of 50 MB.
//
// A [File] knows where lines start, sparsely: about every 64th line, and every line after a stretch of 64 KiB without a known start.
// [File.Index] builds that list in the background; [File.Page], [File.ReadLine] and the searches read the bytes they need with ReadAt
// each time. The text is never mapped into memory, because truncating a mapped file kills the process.
//
// What lives here: the line index, pages, windows of long lines and literal search. Bytes are returned unchanged: making them safe for a
// terminal is up to render/text. The package uses only the standard library and knows nothing of stores; the viewer of the terminal
// interface calls it.
//
// Lines follow one rule everywhere: they are the pieces of a split at "\n", so "a\nb\n" has three, the last one empty, and an empty text
// has one. A carriage return is part of its line.
//
// Concurrency: the index is an immutable value that Index replaces chunk by chunk. Readers load the newest one without a lock, so the
// indexer never delays a page.
package bigfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync/atomic"
	"time"
)

// Source supplies the bytes of a text. ReadAt must be safe for concurrent use. The size may change between two calls.
type Source interface {
	io.ReaderAt
	Size() (int64, error)
}

// errReset is returned by [File.Index] if [File.Reset] replaced the text meanwhile.
var errReset = errors.New("bigfile: the text was replaced while it was being indexed")

// ErrNotIndexed is returned by [File.ReadLine] for a line that the index has
// not reached yet. Retry later; the text may also turn out to be shorter.
var ErrNotIndexed = errors.New("bigfile: that line has not been indexed yet")

// Bytes is a Source for a small text in memory. The caller must not modify b.
func Bytes(b []byte) Source { return memory{bytes.NewReader(b)} }

type memory struct{ *bytes.Reader }

func (m memory) Size() (int64, error) { return m.Reader.Size(), nil }

// tuning are the sizes that keep the index sparse and the reads bounded. Tests make them tiny to cross every border.
type tuning struct {
	chunk  int           // bytes per read of the indexer and of a search
	window int           // bytes per read of a page, by default
	reach  int64         // how far past the indexed end a page may read; at least 1, to see the end
	every  time.Duration // minimum time between two progress reports
	block  int           // bytes in which newlines are counted before they are located

	stride    int   // lines between two regular entries; a power of two
	gap       int64 // bytes without an entry after which a line start becomes one
	maxStarts int   // regular entries (8 bytes each) before the stride doubles
	maxExtras int   // other entries (16 bytes each) before the gap doubles
}

// A million lines make 15,625 regular entries, 125 kB. With 2^18 and 2^16 entries the
// index never takes more than about 3 MB, and append's spare room.
var standard = tuning{
	chunk: 512 << 10, window: 64 << 10, reach: 1 << 20, every: 100 * time.Millisecond, block: 4 << 10,
	stride: 64, gap: 64 << 10, maxStarts: 1 << 18, maxExtras: 1 << 16,
}

// File is a text that is read in pieces. It is safe for concurrent use by one indexer at a time and any number of readers.
type File struct {
	tuning tuning
	turn   chan struct{} // holds a token while an Index runs
	now    atomic.Pointer[index]
}

// New makes a File over src. It reads nothing.
func New(src Source) *File { return newFile(src, standard) }

func newFile(src Source, t tuning) *File {
	f := &File{tuning: t, turn: make(chan struct{}, 1)}
	f.Reset(src)
	return f
}

// Reset discards the index and continues with src, which may be the same Source after its text shrank or was replaced. An Index under way
// ends with errReset.
func (f *File) Reset(src Source) { f.now.Store(newIndex(src, f.tuning)) }

// Grown returns a File over src with the index of f, for a reopened text that begins with the text of f; the caller must be sure of that.
// Index continues from there. f doesn't change.
func (f *File) Grown(src Source) *File {
	ix := *f.now.Load()
	ix.src = src
	ix.starts, ix.extras = slices.Clip(ix.starts), slices.Clip(ix.extras) // either may be appended to
	g := &File{tuning: f.tuning, turn: make(chan struct{}, 1)}
	g.now.Store(&ix)
	return g
}

// Progress is how far Index has read.
type Progress struct {
	Bytes, Total int64
	Lines        int
}

// Index reads from where it last stopped to the present end of the text, so after growth it reads only what is new. report may be nil; it
// is called on this goroutine, at most every 100 ms, and so not at all for a small text. A second Index waits for the first one.
//
// If the text is shorter than what was indexed, the error is [io.ErrUnexpectedEOF]: call Reset, then Index.
func (f *File) Index(ctx context.Context, report func(Progress)) error {
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	ix := f.now.Load()
	size, err := ix.src.Size()
	if err != nil {
		return err
	}
	sized := *ix
	sized.size = size
	if !f.now.CompareAndSwap(ix, &sized) {
		return errReset
	}
	if size < ix.indexed {
		return io.ErrUnexpectedEOF
	}
	return f.indexTo(ctx, &sized, report)
}

// indexTo extends ix to its size and publishes it after every chunk.
func (f *File) indexTo(ctx context.Context, ix *index, report func(Progress)) error {
	buf := make([]byte, min(int64(f.tuning.chunk), ix.size-ix.indexed))
	pace := newPace(f.tuning.every)
	for ix.indexed < ix.size {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, _, err := readFull(ix.src, buf[:min(int64(len(buf)), ix.size-ix.indexed)], ix.indexed)
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrUnexpectedEOF
		}
		next := ix.extend(buf[:n])
		if !f.now.CompareAndSwap(ix, next) {
			return errReset
		}
		ix = next
		if report != nil && pace.due() {
			report(Progress{Bytes: ix.indexed, Total: ix.size, Lines: ix.newlines + 1})
		}
	}
	return nil
}

// Facts are what is known of a text so far.
type Facts struct {
	Lines        int   // at least 1; grows until Complete
	Complete     bool  // the index has reached the size seen by the last Index
	Indexed      int64 // bytes the index covers
	Size         int64 // bytes, as seen by the last Index; 0 before the first
	FirstInvalid int64 // offset of the first byte that is not UTF-8; -1: none so far
	LongestLine  int64 // bytes, without its newline
	FinalNewline bool  // the indexed part ends with a newline
	Binary       bool  // a NUL in the first 8 KiB
	HasNUL       bool  // a NUL anywhere
	HasCR        bool  // a carriage return anywhere
}

// Facts returns the present knowledge of the index. It does no I/O.
func (f *File) Facts() Facts { return f.now.Load().facts() }

// readFull fills b from offset off. eof reports that the text ended before b was full, which is not an error here.
func readFull(src io.ReaderAt, b []byte, off int64) (n int, eof bool, err error) {
	n, err = src.ReadAt(b, off)
	if n < len(b) && err == nil {
		err = io.ErrNoProgress // against the contract of io.ReaderAt
	}
	if n == len(b) {
		return n, false, nil
	}
	if errors.Is(err, io.EOF) {
		return n, true, nil
	}
	return n, false, err
}

// pace limits the rate of progress reports.
type pace struct {
	every time.Duration
	last  time.Time
}

func newPace(every time.Duration) *pace { return &pace{every: every, last: time.Now()} }

func (p *pace) due() bool {
	now := time.Now()
	if now.Sub(p.last) < p.every {
		return false
	}
	p.last = now
	return true
}
