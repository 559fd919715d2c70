package transcript

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Limits of what is read.
const (
	// MaxRecord is the longest record that is looked into, in bytes. Longer ones are skipped.
	MaxRecord = 256 << 20
	// A packed file may grow by this factor beyond the first gigabyte; more is a bomb.
	maxGrowth = 1000
	freely    = 1 << 30

	readBlock = 1 << 20
)

// The errors of files that are not read. Their texts are the rest of a sentence.
var (
	ErrUTF16 = errors.New("it is UTF-16 text; save it as UTF-8")
	ErrBomb  = errors.New("it unpacks to far more than a transcript holds, and was left at that")
	ErrZip   = errors.New("it is a zip archive; unpack it first")
	ErrEmpty = errors.New("it is empty")
)

// unpacked is the text of a transcript: gzip and zstd undone, the byte order mark taken off.
// close frees the unpacker, not r.
func unpacked(r io.Reader) (text *bufio.Reader, closeUnpacker func(), err error) {
	closeUnpacker = func() {}
	packed := &counter{r: r}
	in := bufio.NewReaderSize(packed, readBlock)
	head, _ := in.Peek(4) // a short file is judged by what there is
	switch {
	case len(head) == 0:
		return nil, closeUnpacker, ErrEmpty
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, closeUnpacker, fmt.Errorf("it looks like gzip and cannot be unpacked: %w", err)
		}
		in = bufio.NewReaderSize(&bounded{r: z, packed: packed}, readBlock)
	case bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(128<<20))
		if err != nil {
			return nil, closeUnpacker, fmt.Errorf("it looks like zstd and cannot be unpacked: %w", err)
		}
		closeUnpacker = z.Close
		in = bufio.NewReaderSize(&bounded{r: z, packed: packed}, readBlock)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return nil, closeUnpacker, ErrZip
	}
	head, _ = in.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte{0xEF, 0xBB, 0xBF}):
		_, _ = in.Discard(3) // they were peeked at
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}), bytes.HasPrefix(head, []byte{0xFE, 0xFF}),
		len(head) > 3 && (head[0] == 0 && head[2] == 0) != (head[1] == 0 && head[3] == 0):
		return nil, closeUnpacker, ErrUTF16
	}
	return in, closeUnpacker, nil
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
