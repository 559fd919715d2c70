package backend

import (
	"errors"
	"io"
)

// ErrTooBig is a file that is larger than its reader takes at once.
var ErrTooBig = errors.New("too big to be edited")

// SizeLimitError is [ErrTooBig] with the size of the file in bytes.
type SizeLimitError struct {
	Size int64
	New  bool // the file is not there, it would get that size
}

func (e *SizeLimitError) Error() string { return ErrTooBig.Error() }
func (e *SizeLimitError) Unwrap() error { return ErrTooBig }

// ReadFile returns all bytes of a file, [SizeLimitError] where they are more than most. What it grows by while
// it is read is left out, and what it shrank by is missing: a writer compares first.
func ReadFile(b Backend, name string, a Access, most int64) ([]byte, error) {
	f, err := b.Open(name, a)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
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
