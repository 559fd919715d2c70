package adapt

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
	"memcurator/memstore/backend/quietfile"
)

// most bounds the files that are read, in bytes: they are held in memory.
const most = 512 << 20

var errTooLarge = Unreadable(backend.ErrTooBig, "The file is larger than 512 MB, more than is read here")

// Unreadable is [backend.ErrUnavailable] for a cause, as a sentence for people, without a full stop.
func Unreadable(cause error, why string) error { return &unreadable{why, cause} }

type unreadable struct {
	why   string
	cause error
}

func (u *unreadable) Error() string { return u.why }

func (u *unreadable) Unwrap() []error { return []error{backend.ErrUnavailable, u.cause} }

// ReadFile reads a program's file whole, and when it last changed. Looking leaves no trace. The text of an error has no path.
func ReadFile(path string) (data []byte, changed time.Time, err error) {
	f, info, err := open(path)
	if err != nil {
		return nil, changed, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if info.Size() > most {
		return nil, changed, errTooLarge
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()) + bytes.MinRead)
	if _, err = b.ReadFrom(io.LimitReader(f, most)); err != nil {
		return nil, changed, unavailable(err)
	}
	return b.Bytes(), info.ModTime(), nil
}

// Head reads at most n bytes of the beginning of a program's file, to recognize it.
func Head(path string, n int64) ([]byte, error) {
	f, _, err := open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return io.ReadAll(io.LimitReader(f, n))
}

func open(path string) (*os.File, fs.FileInfo, error) {
	f, err := quietfile.Open(path, 0)
	if err != nil {
		return nil, nil, unavailable(err)
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		return f, info, nil
	}
	_ = f.Close() // nothing was read
	if err != nil {
		return nil, nil, unavailable(err)
	}
	return nil, nil, backend.ErrNotRegular
}

// Replace puts new bytes in place of a program's file, whole or not at all, if it still has the old ones.
func Replace(path string, old, data []byte) error {
	in, err := dir.Open(filepath.Dir(path), dir.Options{})
	if err != nil {
		return err
	}
	err = in.Replace(filepath.Base(path), old, data)
	if errors.Is(err, fs.ErrNotExist) {
		err = backend.ErrChanged
	}
	return errors.Join(err, in.Close())
}

// unavailable words the error of a file that can't be looked at. The text has no path.
func unavailable(err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	return fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
}
