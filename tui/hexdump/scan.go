package hexdump

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// scanStep is how much of a file is searched at a time, in bytes.
const scanStep = 1 << 20

// scan returns the offset of the first place from an offset on that holds want, or backward of
// the last one that begins before it; -1 for none. It does I/O and holds one step in memory.
func (d *document) scan(ctx context.Context, want []byte, from int64, backward bool) (int64, error) {
	lap := int64(len(want) - 1)
	buf := make([]byte, scanStep+lap)
	read := func(at, to int64) ([]byte, error) {
		b := buf[:max(0, min(to, d.size)-at)]
		n, err := d.file.ReadAt(b, at)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return b[:n], err
	}
	if backward {
		for end := min(from, d.size); end > 0; {
			start := max(0, end-scanStep)
			b, err := read(start, end+lap)
			if err != nil || ctx.Err() != nil {
				return -1, errors.Join(err, ctx.Err())
			}
			if i := bytes.LastIndex(b, want); i >= 0 {
				return start + int64(i), nil
			}
			end = start
		}
		return -1, nil
	}
	for at := max(0, from); at < d.size; at += scanStep {
		b, err := read(at, at+scanStep+lap)
		if err != nil || ctx.Err() != nil {
			return -1, errors.Join(err, ctx.Err())
		}
		if i := bytes.Index(b, want); i >= 0 {
			return at + int64(i), nil
		}
	}
	return -1, nil
}
