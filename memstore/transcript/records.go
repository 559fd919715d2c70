package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// sniff is how much of a file is looked at to tell its format, in bytes.
const sniff = 256 << 10

// errLong is a line of more than [MaxRecord] bytes; it was skipped.
var errLong = errors.New("line too long")

// blocks hands out whole lines of a stream, as many at once as there are in a buffer, which grows
// with the longest line and is given up after it.
type blocks struct {
	in     io.Reader
	buf    []byte
	n      int   // bytes in buf
	taken  int   // bytes of it that were handed out
	offset int64 // of buf[0] in the text
	ended  bool  // there is no more to read
}

// next is the next lines, the last of them ended but for that of the stream, and where in the text they begin. The
// error is io.EOF after the last, and errLong for a line that was left out.
func (b *blocks) next() (lines []byte, offset int64, err error) {
	b.n = copy(b.buf, b.buf[b.taken:b.n])
	b.offset += int64(b.taken)
	b.taken = 0
	if len(b.buf) > keptBuffer && b.n <= readBlock/2 {
		b.buf = append(make([]byte, 0, readBlock), b.buf[:b.n]...)[:readBlock]
	}
	for {
		looked := b.n
		if err := b.fill(); err != nil {
			return nil, 0, err
		}
		if end := bytes.LastIndexByte(b.buf[looked:b.n], '\n'); end >= 0 {
			b.taken = looked + end + 1
			return b.buf[:b.taken], b.offset, nil
		}
		switch {
		case b.ended && b.n == 0:
			return nil, 0, io.EOF
		case b.ended:
			b.taken = b.n
			return b.buf[:b.n], b.offset, nil
		case b.n >= MaxRecord:
			return nil, b.offset, b.skip()
		case b.n == len(b.buf):
			b.grow()
		}
	}
}

// grow makes room for a longer line: a long one is not given twice the memory that it needs.
func (b *blocks) grow() {
	more := len(b.buf)
	if more > 16<<20 {
		more /= 4
	}
	larger := make([]byte, len(b.buf)+more)
	copy(larger, b.buf)
	b.buf = larger
}

// keptBuffer is the size from which on a buffer is not kept for the next lines.
const keptBuffer = 4 << 20

// fill reads until the buffer is full or the stream has ended.
func (b *blocks) fill() error {
	if b.buf == nil {
		b.buf = make([]byte, readBlock)
	}
	for b.n < len(b.buf) && !b.ended {
		n, err := b.in.Read(b.buf[b.n:])
		b.n += n
		switch {
		case errors.Is(err, io.EOF):
			b.ended = true
		case err != nil:
			return err
		}
	}
	return nil
}

// skip leaves out the line that the buffer begins with.
func (b *blocks) skip() error {
	for {
		b.offset += int64(b.n)
		b.n = 0
		if err := b.fill(); err != nil {
			return err
		}
		if end := bytes.IndexByte(b.buf[:b.n], '\n'); end >= 0 {
			b.taken = end + 1
			return errLong
		}
		if b.ended {
			b.taken = b.n
			return errLong
		}
	}
}

// readAll is the file as one record, for a JSON value that is spread over lines.
func readAll(in io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxRecord+1))
	if len(data) > MaxRecord {
		return nil, errLong
	}
	return data, err
}

// values yields the JSON values that stand one after another in data. rest is what is no whole value.
func values(data []byte, visit func(v value, offset int)) (rest []byte) {
	for i := blanks(data, 0); i < len(data); i = blanks(data, i) {
		end := len(data)
		if data[i] == '{' || data[i] == '[' {
			end = valueEnd(data, i)
		}
		if !json.Valid(data[i:end]) {
			return data[i:]
		}
		visit(data[i:end:end], i)
		i = end
	}
	return nil
}
