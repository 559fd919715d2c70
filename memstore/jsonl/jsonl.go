// Package jsonl reads a protocol that has one JSON value per line.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// ErrTooLong is a line of more bytes than a reader takes.
var ErrTooLong = errors.New("line too long")

const (
	lineChunk  = 64 << 10
	keepBuffer = 1 << 20 // the most that a reader holds on to after a long line
)

// Reader reads the lines of a protocol that has one JSON value per line, in bounded memory. A byte
// order mark before the first line, as some programs put one there, is not part of it.
type Reader struct {
	begun bool
	in    *bufio.Reader
	most  int
	buf   []byte
}

// NewReader reads the lines of in, of up to most bytes each.
func NewReader(in io.Reader, most int) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, lineChunk), most: most}
}

// Next returns the next line, valid until the call after. Of one that is too long it returns the
// beginning, with [ErrTooLong]; the rest is skipped, and reading goes on behind it. A last line
// without a newline comes with [io.EOF].
func (l *Reader) Next() ([]byte, error) {
	line, err := l.next()
	if !l.begun {
		l.begun = true
		line = bytes.TrimPrefix(line, []byte("\uFEFF"))
	}
	return line, err
}

func (l *Reader) next() ([]byte, error) {
	if cap(l.buf) > keepBuffer {
		l.buf = nil
	}
	line, err := l.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	l.buf = append(l.buf[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.in.ReadSlice('\n')
		if len(l.buf)+len(line) > l.most {
			start := bytes.Clone(l.buf[:min(len(l.buf), lineChunk)])
			l.buf = nil
			return start, l.skip(err)
		}
		l.grow(len(line))
		l.buf = append(l.buf, line...)
	}
	return l.buf, err
}

// grow makes room: twice as much each time, and all that a line may have once it has a quarter of that. What is not
// used of it costs nothing, and what was filled is not copied over and over.
func (l *Reader) grow(more int) {
	if len(l.buf)+more <= cap(l.buf) {
		return
	}
	room := 2 * cap(l.buf)
	if room > l.most/4 {
		room = l.most
	}
	l.buf = append(make([]byte, 0, room), l.buf...)
}

// skip reads to the end of a line that is too long. An error of reading comes with the next line.
func (l *Reader) skip(err error) error {
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = l.in.ReadSlice('\n')
	}
	return ErrTooLong
}

// Release gives up the line that Next returned last, if it is a long one.
func (l *Reader) Release() {
	if cap(l.buf) > keepBuffer {
		l.buf = nil
	}
}

// Field is the value of a field of the JSON object that begins with start, where it comes
// before anything that start does not hold whole: of a line that is too long the fields that say what
// it would have been. nil: it is not there.
func Field(start []byte, name string) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(start))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil
		}
		if key == name {
			return value
		}
	}
	return nil
}
