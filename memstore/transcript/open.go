package transcript

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
	// MaxRecord is the longest record that is looked into, in bytes. Longer ones are skipped.
	MaxRecord = 256 << 20
	// A packed file may grow by this factor beyond the first gigabyte; more is a bomb.
	maxGrowth = 1000
)

// freely is how many bytes any packed file may grow to; tests set it lower.
var freely int64 = 1 << 30

// The errors of files that are not read. Their texts are the rest of a sentence.
var (
	ErrBomb  = errors.New("it unpacks to far more than a transcript holds, and was left at that")
	ErrEmpty = errors.New("it is empty")
)

// opened is the text of a transcript: gzip and zstd undone, the byte order mark taken off.
type opened struct {
	*bufio.Reader
	packed bool
	mark   int64  // bytes of the byte order mark
	free   func() // frees the unpacker, not what it reads from; never nil
}

// unpacked finds out what a file is made of. The caller calls free, also after an error.
func unpacked(r io.Reader) (opened, error) {
	packed := &counter{r: r}
	in := opened{Reader: bufio.NewReaderSize(packed, sniff), free: func() {}}
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
		in.mark = 3
		_, _ = in.Discard(3) // they were peeked at
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}), len(head) > 3 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		in.decode(unicode.LittleEndian)
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}), len(head) > 3 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		in.decode(unicode.BigEndian)
	}
	return in, nil
}

// unpack puts an unpacker in front, where the beginning of the file asks for one.
func (o *opened) unpack(head []byte, packed *counter) error {
	switch {
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}):
		z, err := gzip.NewReader(o.Reader)
		if err != nil {
			return fmt.Errorf("it looks like gzip and cannot be unpacked: %w", err)
		}
		o.from(z, packed)
	case bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		z, err := zstd.NewReader(o.Reader, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(128<<20))
		if err != nil {
			return fmt.Errorf("it looks like zstd and cannot be unpacked: %w", err)
		}
		o.free = z.Close
		o.from(z, packed)
	}
	return nil
}

// decode turns UTF-16 into UTF-8; what is no pair becomes U+FFFD.
func (o *opened) decode(order unicode.Endianness) {
	o.packed = true // offsets in the text are none in the file
	o.Reader = bufio.NewReaderSize(unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(o.Reader), sniff)
}

func (o *opened) from(r io.Reader, packed *counter) {
	o.packed, o.Reader = true, bufio.NewReaderSize(&bounded{r: r, packed: packed}, sniff)
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
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.n > freely && b.n/maxGrowth > b.packed.n {
		return 0, ErrBomb
	}
	n, err := b.r.Read(p)
	b.n += int64(n)
	return n, err
}
