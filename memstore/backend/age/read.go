package age

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"filippo.io/age"

	"memcurator/memstore/backend"
)

// Stat implements [backend.Backend]. Sizes are those of the texts.
func (d *EncryptedDir) Stat(name string) (backend.Info, error) { return d.Lstat(name) }

// Lstat implements [backend.Backend]. Without links it is the same as Stat.
func (d *EncryptedDir) Lstat(name string) (backend.Info, error) {
	at, err := d.locate(name, false)
	if err != nil {
		return backend.Info{}, err
	}
	i, err := d.disk.Lstat(at)
	if err != nil {
		return backend.Info{}, err
	}
	return d.describe(i, path.Base(name)), nil
}

// Readlink implements [backend.Backend]: an encrypted store has no links.
func (d *EncryptedDir) Readlink(name string) (string, error) {
	if _, err := d.Lstat(name); err != nil {
		return "", err
	}
	return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
}

// ReadDir implements [backend.Backend]. It omits entries that no holder of the key made.
func (d *EncryptedDir) ReadDir(name string) ([]backend.Info, error) {
	at, err := d.locate(name, false)
	if err == nil && at != "." {
		err = d.mustBeDir(at)
	}
	if err != nil {
		return nil, err
	}
	list, err := d.disk.ReadDir(at)
	if err != nil {
		return nil, err
	}
	kept := list[:0]
	for _, e := range list {
		if base, err := d.keys.names.open(e.Name); err == nil {
			kept = append(kept, d.describe(e, base))
		}
	}
	slices.SortFunc(kept, func(a, b backend.Info) int { return strings.Compare(a.Name, b.Name) })
	return kept, nil
}

// Open implements [backend.Backend]. A file that the key doesn't open is
// [ErrDamaged]. A text of up to 64 KiB is decrypted at once, a longer one
// while it is read; a read that finds damage fails with ErrDamaged.
func (d *EncryptedDir) Open(name string, a backend.Access) (backend.File, error) {
	at, err := d.locate(name, false)
	if err != nil {
		return nil, err
	}
	f, err := d.openAt(at, a)
	if err != nil {
		return nil, err
	}
	f.name = path.Base(name)
	return f, nil
}

func (d *EncryptedDir) openAt(at string, a backend.Access) (*file, error) {
	if i, err := d.disk.Lstat(at); err != nil {
		return nil, err
	} else if i.Kind == backend.KindLink {
		return nil, &fs.PathError{Op: "open", Path: at, Err: backend.ErrNotRegular}
	}
	sealed, err := d.disk.Open(at, a)
	if err != nil {
		return nil, err
	}
	f := &file{dir: d, sealed: sealed}
	if err := f.decrypt(); err != nil {
		_ = sealed.Close()
		return nil, err
	}
	return f, nil
}

// file is an open file of the store.
type file struct {
	dir      *EncryptedDir
	name     string
	sealed   backend.File
	onDisk   int64 // size of the encrypted file when it was opened
	size     int64 // size of its text
	text     io.ReaderAt
	problems readProblem
}

// ageIntro begins every age file. It is checked first: age would search a
// foreign file for its first newline, however far that is.
const ageIntro = "age-encryption.org/v1\n"

func (f *file) decrypt() error {
	info, err := f.sealed.Info()
	if err != nil {
		return err
	}
	f.onDisk = info.Size
	src := noting{f.sealed, &f.problems}
	var intro [len(ageIntro)]byte
	if n, err := src.ReadAt(intro[:], 0); string(intro[:n]) != ageIntro {
		return f.problem(err)
	}
	text, size, err := age.DecryptReaderAt(src, info.Size, f.dir.keys.identity)
	if err != nil {
		return f.problem(err)
	}
	f.text, f.size = text, size
	if size > chunkSize {
		return nil
	}
	whole := make([]byte, size)
	if n, err := text.ReadAt(whole, 0); int64(n) < size {
		return f.problem(err)
	}
	f.text = bytes.NewReader(whole)
	return nil
}

// problem returns why a file could not be decrypted: the error from the disk
// if there was one, else ErrDamaged.
func (f *file) problem(err error) error {
	if p := f.problems.Load(); p != nil {
		return *p
	}
	if err == nil || errors.Is(err, io.EOF) {
		return ErrDamaged
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// ReadAt implements [backend.File].
func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if off > f.size {
		return 0, io.EOF
	}
	n, err := f.text.ReadAt(p, off)
	if err != nil && !errors.Is(err, io.EOF) {
		err = f.problem(err)
	}
	return n, err
}

// Info implements [backend.File].
func (f *file) Info() (backend.Info, error) {
	i, err := f.sealed.Info()
	if err != nil {
		return backend.Info{}, err
	}
	now := i.Size
	if i = f.dir.describe(i, f.name); now == f.onDisk {
		i.Size = f.size
	}
	return i, nil
}

// Close implements [backend.File].
func (f *file) Close() error { return f.sealed.Close() }

// readProblem is the first error from the disk, or nil. Reads are concurrent.
type readProblem struct{ atomic.Pointer[error] }

// noting records errors from the disk, to distinguish them from decryption errors, which have no types.
type noting struct {
	r  io.ReaderAt
	to *readProblem
}

func (n noting) ReadAt(p []byte, off int64) (int, error) {
	got, err := n.r.ReadAt(p, off)
	if err != nil && !errors.Is(err, io.EOF) {
		n.to.CompareAndSwap(nil, &err)
	}
	return got, err
}
