package transcript

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"memcurator/memstore/backend/quietfile"
)

// MaxRecord is the longest record that is read, in bytes.
const MaxRecord = 256 << 20

// errLong, as all errors of files that are not read, is the rest of a sentence.
var errLong = fmt.Errorf("it has a record of more than %d MB", MaxRecord>>20)

// Open opens a transcript to read it. Looking leaves the time of a file's last access; a pipe waits for its writer.
func Open(name string) (*os.File, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return os.Open(name)
	}
	return quietfile.Open(name, 0)
}

// ReadFile reads the transcript in a file, until ctx ends.
func (r *Reader) ReadFile(ctx context.Context, name string) error {
	f, err := Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	return r.Read(name, canceled{f, ctx})
}

// canceled ends a read with its context.
type canceled struct {
	io.Reader
	ctx context.Context
}

func (c canceled) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(b)
}

// unpacked is the text of a transcript: gzip, zstd and UTF-16 undone, the byte order mark taken off. The caller
// calls done, also after an error.
func unpacked(packed *bufio.Reader) (in *bufio.Reader, done func(), err error) {
	in, done = packed, func() {}
	head, _ := in.Peek(4) // a short file is judged by what there is
	switch {
	case len(head) == 0:
		return in, done, errors.New("it is empty")
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return in, done, fmt.Errorf("it looks like gzip that can't be unpacked: %w", err)
		}
		in = bufio.NewReaderSize(z, headSize)
	case bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(128<<20))
		if err != nil {
			return in, done, fmt.Errorf("it looks like zstd that can't be unpacked: %w", err)
		}
		in, done = bufio.NewReaderSize(z, headSize), z.Close
	}
	head, _ = in.Peek(3)
	for _, mark := range []string{"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"} {
		if bytes.HasPrefix(head, []byte(mark)) { // UTF-8 or UTF-16, as it says
			return bufio.NewReaderSize(transform.NewReader(in, unicode.BOMOverride(transform.Nop)), headSize), done, nil
		}
	}
	return in, done, nil
}
