package memstore

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"memcurator/memstore/backend"
)

// chunkSize is how much of a file is read at once: enough to make system
// calls cheap, little enough to stay in the processor's cache.
const chunkSize = 256 << 10

// chunkBuffers are the buffers of one view, whatever the size of the file.
type chunkBuffers struct {
	in  [chunkSize]byte
	out [chunkSize]byte
}

// freeList keeps buffers that views reuse. Unlike a sync.Pool it survives
// garbage collections, which one big view triggers; its capacity bounds it
// instead.
type freeList[T any] chan *T

func (l freeList[T]) get() *T {
	select {
	case v := <-l:
		return v
	default:
		return new(T)
	}
}

func (l freeList[T]) put(v *T) {
	select {
	case l <- v:
	default:
	}
}

// chunks holds at most 2 MiB: further concurrent views allocate their own.
var chunks = make(freeList[chunkBuffers], 4)

// rowWriter numbers the lines of a text. It collects them in out and flushes
// when out is full. It counts line numbers up as digits rather than
// formatting each.
type rowWriter struct {
	w     io.Writer
	out   []byte
	label [rowPrefix]byte // number of the next row, and a tab
	begun bool            // whether the label of the current row is written
	count int             // number of rows begun
}

// rows writes the rows of a span. The text comes from whole if that is set,
// else it is read through buf.
func (r *rowWriter) rows(f io.ReaderAt, p span, whole, buf []byte) error {
	if p.rows() == 0 {
		return nil
	}
	r.setLabel(p.first)
	if whole != nil {
		if err := r.text(whole[p.from:p.to]); err != nil {
			return err
		}
	} else if err := r.readText(f, p, buf); err != nil {
		return err
	}
	if !r.begun {
		r.begin() // the empty row after a final newline
	}
	if r.count != p.rows() {
		return backend.ErrChanged // overwritten in place between the two passes
	}
	return nil
}

func (r *rowWriter) readText(f io.ReaderAt, p span, buf []byte) error {
	for at := p.from; at < p.to; {
		n, err := f.ReadAt(buf[:min(int64(len(buf)), p.to-at)], at)
		if n == 0 {
			if err == nil || errors.Is(err, io.EOF) {
				return backend.ErrChanged
			}
			return err
		}
		if err := r.text(buf[:n]); err != nil {
			return err
		}
		at += int64(n)
	}
	return nil
}

// text writes a part of the rows.
func (r *rowWriter) text(p []byte) error {
	for len(p) > 0 {
		if !r.begun {
			r.begin()
		}
		line := p
		if i := bytes.IndexByte(p, '\n'); i >= 0 {
			line = p[:i+1]
			r.begun = false
		}
		p = p[len(line):]
		if len(r.out)+len(line)+rowPrefix > cap(r.out) {
			if err := r.flush(); err != nil {
				return err
			}
			if len(line)+rowPrefix > cap(r.out) {
				if _, err := r.w.Write(line); err != nil {
					return err
				}
				continue
			}
		}
		r.out = append(r.out, line...)
	}
	return nil
}

func (r *rowWriter) begin() {
	r.out = append(r.out, r.label[:]...)
	r.begun = true
	r.count++
	for i := rowPrefix - 2; i >= 0; i-- {
		switch r.label[i] {
		case '9':
			r.label[i] = '0'
			continue
		case ' ':
			r.label[i] = '1'
		default:
			r.label[i]++
		}
		return
	}
}

func (r *rowWriter) setLabel(n int) {
	copy(r.label[:], appendLabel(r.label[:0], n))
}

func (r *rowWriter) flush() error {
	if len(r.out) == 0 {
		return nil
	}
	_, err := r.w.Write(r.out)
	r.out = r.out[:0]
	return err
}

// appendLabel appends a line number, right-aligned in six columns, and a tab.
func appendLabel(dst []byte, n int) []byte {
	var digits [20]byte
	d := strconv.AppendInt(digits[:0], int64(n), 10)
	for i := len(d); i < rowPrefix-1; i++ {
		dst = append(dst, ' ')
	}
	return append(append(dst, d...), '\t')
}
