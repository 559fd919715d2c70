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

	"filippo.io/age"

	"memcurator/memstore/backend"
)

// Stat implements [backend.Backend]. Sizes are those of the texts.
func (d *EncryptedDir) Stat(name string) (backend.Info, error) { return d.Lstat(name) }

// Lstat implements [backend.Backend]. Without links it is the same as Stat.
func (d *EncryptedDir) Lstat(name string) (backend.Info, error) {
	at, err := d.locate(name)
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
	at, err := d.locate(name)
	if err != nil {
		return nil, err
	}
	if i, err := d.disk.Lstat(at); err != nil {
		return nil, err
	} else if i.Kind != backend.KindDir {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: backend.ErrNotDir}
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

// Open implements [backend.Backend]. It decrypts the whole file; one that the key doesn't open is [ErrDamaged].
func (d *EncryptedDir) Open(name string, a backend.Access) (backend.File, error) {
	at, err := d.locate(name)
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
	disk, err := d.disk.Open(at, a)
	if err != nil {
		return nil, err
	}
	f := &file{dir: d, disk: disk}
	if err := f.decrypt(); err != nil {
		_ = disk.Close()
		return nil, err
	}
	return f, nil
}

// file is an open file of the store, with the bytes that it had when it was opened.
type file struct {
	*bytes.Reader
	dir          *EncryptedDir
	disk         backend.File
	name         string
	sealed, text []byte
}

// maxSealed bounds the encrypted files that are opened, in bytes: they are held in memory.
const maxSealed = 512 << 20

func (f *file) decrypt() error {
	info, err := f.disk.Info()
	switch {
	case err != nil:
		return err
	case info.Size > maxSealed:
		return backend.ErrTooBig
	}
	f.sealed = make([]byte, info.Size)
	n, err := f.disk.ReadAt(f.sealed, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	f.sealed = f.sealed[:n]
	r, err := age.Decrypt(bytes.NewReader(f.sealed), f.dir.keys.identity)
	if err == nil {
		f.text, err = io.ReadAll(r)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	f.Reader = bytes.NewReader(f.text)
	return nil
}

// Info implements [backend.File].
func (f *file) Info() (backend.Info, error) {
	i, err := f.disk.Info()
	if err != nil {
		return backend.Info{}, err
	}
	i = f.dir.describe(i, f.name)
	i.Size = int64(len(f.text))
	return i, nil
}

// Close implements [backend.File].
func (f *file) Close() error { return f.disk.Close() }
