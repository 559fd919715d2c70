package transcript

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"

	"memcurator/memstore/backend/quietfile"
)

// MaxRecord is the longest record that is read, in bytes. Longer ones are skipped and counted.
const MaxRecord = 256 << 20

// maxUnpacked is how many bytes a packed transcript may grow to; tests set it lower.
var maxUnpacked int64 = 8 << 30

// The errors of files that are not read. Their texts are the rest of a sentence.
var (
	errBomb  = errors.New("it unpacks to more than a transcript holds")
	errEmpty = errors.New("it is empty")
)

// Open opens a transcript to read it. Looking leaves the time of a file's last access; a pipe waits for its writer.
func Open(name string) (*os.File, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return os.Open(name)
	}
	return quietfile.Open(name, 0)
}

// unpacked is the text of a transcript: gzip, zstd and UTF-16 undone, the byte order mark taken off. plain: offsets in it are those of
// the file. The caller calls done, also after an error.
func unpacked(from io.Reader) (in *bufio.Reader, plain bool, done func(), err error) {
	in, plain, done = bufio.NewReaderSize(from, headSize), true, func() {}
	head, _ := in.Peek(4) // a short file is judged by what there is
	switch {
	case len(head) == 0:
		return in, plain, done, errEmpty
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return in, plain, done, fmt.Errorf("it looks like gzip that can't be unpacked: %w", err)
		}
		in, plain = bufio.NewReaderSize(&bounded{r: z}, headSize), false
	case bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(128<<20))
		if err != nil {
			return in, plain, done, fmt.Errorf("it looks like zstd that can't be unpacked: %w", err)
		}
		in, plain, done = bufio.NewReaderSize(&bounded{r: z}, headSize), false, z.Close
	}
	head, _ = in.Peek(4)
	var order unicode.Endianness
	switch {
	case bytes.HasPrefix(head, []byte{0xEF, 0xBB, 0xBF}):
		_, _ = in.Discard(3) // they were peeked at
		return in, false, done, nil
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}), len(head) > 3 && head[0] != 0 && head[1] == 0 && head[3] == 0:
		order = unicode.LittleEndian
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}), len(head) > 3 && head[0] == 0 && head[1] != 0 && head[2] == 0:
		order = unicode.BigEndian
	default:
		return in, plain, done, nil
	}
	return bufio.NewReaderSize(unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(in), headSize), false, done, nil
}

// bounded ends a stream that grows too long.
type bounded struct {
	r io.Reader
	n int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.n > maxUnpacked {
		return 0, errBomb
	}
	n, err := b.r.Read(p)
	b.n += int64(n)
	return n, err
}
