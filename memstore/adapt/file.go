package adapt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
	"memcurator/memstore/backend/quietfile"
)

// most bounds the files that are read, in bytes: they are held in memory.
const most = 512 << 20

// How long a file may not be whole, and how long files may keep changing; a program writes them in milliseconds.
const (
	freshFor = 200 * time.Millisecond
	patience = 3 * time.Second
	// readsApart is longer than the steps in which file systems count time: what changes after the second read has another time than before
	// the first.
	readsApart = 20 * time.Millisecond
)

var errBusy = Unreadable(backend.ErrBusy, "The file keeps changing while it is read; try again")

var errTooLarge = Unreadable(backend.ErrTooBig, "The file is larger than 512 MB, more than is read here")

// Unreadable is [backend.ErrUnavailable] for a cause, as a sentence for people, without a full stop.
func Unreadable(cause error, why string) error { return &unreadable{why, cause} }

type unreadable struct {
	why   string
	cause error
}

func (u *unreadable) Error() string { return u.why }

func (u *unreadable) Unwrap() []error { return []error{backend.ErrUnavailable, u.cause} }

// Read reads files of a program whole; those beside the first may be missing. It reads until two reads agree, and until the first file is
// whole or is as it is for a while: a program may empty a file before it writes it. Looking leaves no trace. The text of an error has no path.
func Read(ctx context.Context, whole func(data []byte) bool, paths ...string) (files [][]byte, err error) {
	began := time.Now()
	for {
		last := files
		var changed time.Time
		if files, changed, err = readAll(paths); err != nil {
			return nil, err
		}
		if last != nil && slices.EqualFunc(files, last, bytes.Equal) && (whole(files[0]) || time.Since(changed).Abs() > freshFor) {
			return files, nil
		}
		if last != nil && time.Since(began) > patience { // a first read of a large file takes long by itself
			return nil, errBusy
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(readsApart):
		}
	}
}

// readAll reads files once, and when the first last changed.
func readAll(paths []string) (files [][]byte, changed time.Time, err error) {
	for i, path := range paths {
		data, at, err := readFile(path)
		if err != nil && (i == 0 || !errors.Is(err, backend.ErrNotExist)) {
			return nil, changed, err
		}
		if files = append(files, data); i == 0 {
			changed = at
		}
	}
	return files, changed, nil
}

// readFile reads a file, and when it last changed.
func readFile(path string) (data []byte, changed time.Time, err error) {
	f, info, err := open(path)
	if err != nil {
		return nil, changed, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if info.Size() > most {
		return nil, changed, errTooLarge
	}
	if data, err = io.ReadAll(io.LimitReader(f, most)); err != nil {
		return nil, changed, unavailable(err)
	}
	return data, info.ModTime(), nil
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
