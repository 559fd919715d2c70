package git

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// indexLock is the file that keeps other runs of git from changing the index, and that then becomes the index.
type indexLock struct {
	file *os.File // nil: released
}

// lock takes the lock of the index, as git does.
func (r Repository) lock() (*indexLock, error) {
	f, err := os.OpenFile(filepath.Join(r.Top, folder, lockFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, r.busy()
	case err != nil:
		return nil, refuse(".git can't be written")
	}
	return &indexLock{f}, nil
}

// write fills the lock with a new index.
func (l *indexLock) write(from string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close() // opened for reading, so closing it cannot lose anything
	if _, err := io.Copy(l.file, f); err != nil {
		return err
	}
	return l.file.Sync()
}

// commit makes the lock the index.
func (l *indexLock) commit(index string) error {
	name := l.file.Name()
	if info, err := os.Lstat(index); err == nil {
		_ = l.file.Chmod(info.Mode().Perm()) // the mode of a new file will do
	}
	if err := l.file.Close(); err != nil {
		return err
	}
	if err := os.Rename(name, index); err != nil {
		return err
	}
	l.file = nil
	return nil
}

// release gives the lock up, unless it became the index.
func (l *indexLock) release() {
	if l.file == nil {
		return
	}
	_ = l.file.Close() // nothing in it is needed
	_ = os.Remove(l.file.Name())
}

// copyFile copies the index; where there is none yet, nothing.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close() // opened for reading, so closing it cannot lose anything
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
