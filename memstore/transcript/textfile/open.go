// Package textfile reads a file of any packing as whole lines of UTF-8.
//
// [Open] undoes gzip, zstd, byte order marks and UTF-16, and ends the stream of what unpacks out of all
// proportion. [LineReader] hands out the lines of what it opened in batches, while the next bytes are
// read on another goroutine, which ends with [readAhead.Close]. What the lines mean is up to
// package transcript, the only caller.
package textfile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
)

// Limits of what is read.
const (
	// MaxRecord is the longest record that is parsed, in bytes. Longer ones are skipped.
	MaxRecord = 256 << 20
	// A packed file may grow by this factor beyond the first gigabyte; more is a bomb.
	maxGrowth = 1000
)

// Freely is how many bytes any packed file may grow to.
const Freely = 1 << 30

// The errors of files that are not read. Their texts are the rest of a sentence.
var (
	ErrBomb  = errors.New("it unpacks to far more than a transcript holds")
	ErrEmpty = errors.New("it is empty")
)

// File is the text of a transcript: gzip and zstd undone, the byte order mark taken off.
type File struct {
	*bufio.Reader
	Packed bool
	freely int64
	Mark   int64  // bytes of the byte order mark
	Free   func() // frees the unpacker, not what it reads from; never nil
}

// Open finds out what a file is made of. A packed one that grows beyond freely bytes is judged by how much it was
// packed. The caller calls free, also after an error.
func Open(r io.Reader, freely int64) (File, error) {
	packed := &counter{r: r}
	in := File{Reader: bufio.NewReaderSize(packed, HeadSize), Free: func() {}, freely: freely}
	head, _ := in.Peek(4) // a short file is judged by what there is
	if len(head) == 0 {
		return in, ErrEmpty
	}
	if err := in.unpack(head, packed); err != nil {
		return in, err
	}
	head, _ = in.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte{0xEF, 0xBB, 0xBF}):
		in.Mark = 3
		_, _ = in.Discard(3) // they were peeked at
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}), len(head) > 3 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		in.decode(unicode.LittleEndian)
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}), len(head) > 3 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		in.decode(unicode.BigEndian)
	}
	return in, nil
}

// unpack puts an unpacker in front, where the beginning of the file asks for one.
func (o *File) unpack(head []byte, packed *counter) error {
	switch {
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}):
		z, err := gzip.NewReader(o.Reader)
		if err != nil {
			return fmt.Errorf("it looks like gzip that can't be unpacked: %w", err)
		}
		o.from(z, packed)
	case bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		z, err := zstd.NewReader(o.Reader, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(128<<20))
		if err != nil {
			return fmt.Errorf("it looks like zstd that can't be unpacked: %w", err)
		}
		o.Free = z.Close
		o.from(z, packed)
	}
	return nil
}

// decode turns UTF-16 into UTF-8; what is not a pair becomes U+FFFD.
func (o *File) decode(order unicode.Endianness) {
	o.Packed = true // offsets in the text are not those in the file
	o.Reader = bufio.NewReaderSize(unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(o.Reader), HeadSize)
}

func (o *File) from(r io.Reader, packed *counter) {
	o.Packed, o.Reader = true, bufio.NewReaderSize(&bounded{r: r, packed: packed, freely: o.freely}, HeadSize)
}

// counter counts the bytes read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// bounded ends a stream that grows out of all proportion to what it was packed in.
type bounded struct {
	r      io.Reader
	packed *counter
	n      int64
	freely int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.n > b.freely && b.n/maxGrowth > b.packed.n {
		return 0, ErrBomb
	}
	n, err := b.r.Read(p)
	b.n += int64(n)
	return n, err
}
