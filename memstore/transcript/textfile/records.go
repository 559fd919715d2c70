package textfile

import (
	"bytes"
	"errors"
	"io"
)

// HeadSize is how much of a file is read to detect its format, in bytes.
const HeadSize = 256 << 10

// ErrTooLong is a line of more than [MaxRecord] bytes; it was skipped.
var ErrTooLong = errors.New("line too long")

// LineReader hands out whole lines of a stream, in the batches in which they were read.
type LineReader struct {
	ahead  *ahead
	chunk  []byte // the one under way; nil: none
	rest   []byte // what of it was not handed out
	offset int64  // of rest in the stream
	size   int64  // of the stream, where that is known; only how much room is made hangs on it
}

// Lines are whole lines of a stream. Their bytes are read over by the next ones, except for those of a long line.
type Lines struct {
	Text   []byte // each of them ended, except for the last of the stream
	Offset int64  // of the first in the stream
	Long   bool   // it is one line that is longer than a chunk
}

// NewLineReader reads a stream; size is that of all of it, or 0. The caller closes it.
func NewLineReader(in io.Reader, size int64) *LineReader {
	return &LineReader{ahead: readAhead(in), size: size}
}

// Close ends reading and waits for that.
func (b *LineReader) Close() { b.ahead.close() }

// Next is the next lines. The error is io.EOF after the last, and [ErrTooLong] for a line that was left out.
func (b *LineReader) Next() (Lines, error) {
	if end := LastNewline(b.rest); end >= 0 {
		return b.take(end + 1), nil
	}
	for len(b.rest) <= headRoom {
		chunk, err := b.ahead.next()
		switch {
		case errors.Is(err, io.EOF) && len(b.rest) > 0:
			return b.take(len(b.rest)), nil
		case err != nil:
			return Lines{}, err
		}
		at := headRoom - len(b.rest)
		copy(chunk[at:], b.rest)
		b.use(chunk, chunk[at:])
		if end := LastNewline(chunk[headRoom:]); end >= 0 {
			return b.take(headRoom - at + end + 1), nil
		}
	}
	return b.longLine()
}

// take hands out the beginning of the rest.
func (b *LineReader) take(n int) Lines {
	out := Lines{Text: b.rest[:n], Offset: b.offset}
	b.rest = b.rest[n:]
	b.offset += int64(n)
	return out
}

// use turns to another chunk.
func (b *LineReader) use(chunk, rest []byte) {
	b.ahead.free(b.chunk)
	b.chunk, b.rest = chunk, rest
}

// longLine puts a line together that the rest is the beginning of.
func (b *LineReader) longLine() (Lines, error) {
	out := Lines{Offset: b.offset, Long: true}
	part, ended, skipped := b.rest, false, false
	for {
		b.offset += int64(len(part))
		switch {
		case len(out.Text)+len(part) > MaxRecord:
			out.Text, skipped = nil, true
		case !skipped:
			out.Text = b.joined(out.Text, part)
		}
		if ended {
			break
		}
		var err error
		if part, ended, err = b.part(); err != nil {
			return Lines{}, err
		}
	}
	if skipped {
		return Lines{}, ErrTooLong
	}
	return out, nil
}

// part is the next piece of a long line; ended: the last one.
func (b *LineReader) part() (part []byte, ended bool, err error) {
	chunk, err := b.ahead.next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		b.use(nil, nil)
		return nil, true, err
	}
	b.use(chunk, chunk[headRoom:])
	end := bytes.IndexByte(b.rest, '\n') + 1
	if end == 0 {
		end = len(b.rest)
	} else {
		ended = true
	}
	part, b.rest = b.rest[:end], b.rest[end:]
	return part, ended, nil
}

// joined appends to a long line. Its room grows by factors, and never beyond the rest of the stream:
// what is made and not used costs nothing, what is copied stays in memory beside the copy.
func (b *LineReader) joined(line, part []byte) []byte {
	if need := len(line) + len(part); need > cap(line) {
		room := max(need, 4*cap(line))
		if cap(line) >= 64<<20 {
			room = max(need, 2*cap(line))
		}
		if left := b.size - b.offset; b.size > 0 && left >= 0 && int64(need)+left < 2*int64(room) {
			room = need + int(left)
		}
		room = min(room, MaxRecord)
		line = append(make([]byte, 0, room), line...)
	}
	return append(line, part...)
}

// LastNewline is the offset of the last newline, -1 for none.
func LastNewline(p []byte) int {
	const window = 1 << 10 // the standard library looks forward much faster than back
	for end := len(p); end > 0; {
		start := max(0, end-window)
		if bytes.IndexByte(p[start:end], '\n') >= 0 {
			return start + bytes.LastIndexByte(p[start:end], '\n')
		}
		end = start
	}
	return -1
}

// ReadAll is the file as one record, for a JSON value that is spread over lines.
func ReadAll(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxRecord+1))
	if len(data) > MaxRecord {
		return nil, ErrTooLong
	}
	return data, err
}
