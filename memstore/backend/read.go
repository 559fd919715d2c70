package backend

import (
	"errors"
	"io"
)

// ErrTooBig means that a file is too large to read whole.
var ErrTooBig = errors.New("too big to be read whole")

// SizeLimitError is [ErrTooBig] with the size of the file in bytes.
type SizeLimitError struct {
	Size int64
	New  bool // the file doesn't exist yet, and Size is what it would be
}

func (e *SizeLimitError) Error() string { return ErrTooBig.Error() }
func (e *SizeLimitError) Unwrap() error { return ErrTooBig }

// ReadFile returns all bytes of a file, or a [SizeLimitError] if there are more than most. It ignores bytes appended during the read, and
// returns fewer if the file shrinks: writers compare first.
func ReadFile(b Backend, name string, a Access, most int64) ([]byte, error) {
	f, err := b.Open(name, a)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written, so closing can't lose data
	info, err := f.Info()
	if err != nil {
		return nil, err
	}
	if info.Size > most {
		return nil, &SizeLimitError{Size: info.Size}
	}
	data := make([]byte, info.Size)
	n, err := f.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return data[:n], nil
}
