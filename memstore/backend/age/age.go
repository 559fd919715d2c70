package age

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"filippo.io/age"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// Errors of this package, for errors.Is, in addition to those of memstore.
var (
	// ErrKey means that the key doesn't open the store, or that there is none.
	ErrKey = errors.New("the key does not open this store")
	// ErrNoStore means that the directory has no encrypted store known to this program.
	ErrNoStore = errors.New("no encrypted store")
	// ErrNotEmpty means that Create found a directory with entries.
	ErrNotEmpty = errors.New("the directory is not empty")
	// ErrDamaged means that the key of the store doesn't open a file: it is
	// damaged, changed by another key, or from elsewhere. It is
	// [backend.ErrDamaged].
	ErrDamaged = fmt.Errorf("the file does not belong to this store: %w", backend.ErrDamaged)
)

// EncryptedDir is the [backend.Backend] that keeps a store in an encrypted directory. It is safe for concurrent use, also by
// several processes.
//
// Each call checks that the header of the store is still there. A directory without it, such as the empty one that a lost mount leaves,
// is [backend.ErrUnavailable] and never an empty store.
type EncryptedDir struct {
	disk *dir.Dir
	keys *keys
}

var (
	_ backend.Backend     = (*EncryptedDir)(nil)
	_ backend.FolderMaker = (*EncryptedDir)(nil)
	_ backend.DiskNamer   = (*EncryptedDir)(nil)
)

// Create makes an encrypted store in a directory and opens it. It makes the directory and its missing parents; an existing directory must
// be empty ([ErrNotEmpty]), and a store is never replaced ([backend.ErrExist]). The identity, an [age.X25519Identity] or an
// [age.HybridIdentity], opens it from then on; keep a copy of it.
func Create(folder string, id age.Identity) (*EncryptedDir, error) {
	k, err := deriveKeys(id)
	if err != nil {
		return nil, err
	}
	disk, err := dir.Open(folder, dir.Options{Create: true})
	if err != nil {
		return nil, err
	}
	d, err := createIn(disk, k, newHeader(k))
	if err != nil {
		_ = disk.Close()
		return nil, err
	}
	return d, nil
}

func createIn(disk *dir.Dir, k *keys, h header) (*EncryptedDir, error) {
	list, err := disk.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		switch {
		case e.Name == HeaderName:
			return nil, fmt.Errorf("an encrypted store already exists: %w", backend.ErrExist)
		case !backend.TempName(e.Name): // a crash may leave these
			return nil, ErrNotEmpty
		}
	}
	data, err := h.encode()
	if err != nil {
		return nil, err
	}
	if err := disk.Create(HeaderName, data); err != nil {
		return nil, err
	}
	d := &EncryptedDir{disk: disk, keys: k}
	return d, d.ready()
}

// Open opens the encrypted store in a directory. The errors are those of [dir.Open], [ErrNoStore] and [ErrKey].
func Open(folder string, id age.Identity) (*EncryptedDir, error) {
	disk, err := dir.Open(folder, dir.Options{})
	if err != nil {
		return nil, err
	}
	d := &EncryptedDir{disk: disk}
	h, err := readHeader(disk)
	if err == nil {
		d.keys, err = deriveKeys(id)
	}
	if err == nil && !d.keys.marked(h.Mark) {
		err = fmt.Errorf("%w: the store belongs to another identity", ErrKey)
	}
	if err != nil {
		_ = disk.Close()
		return nil, err
	}
	return d, nil
}

// Found reports whether a directory has, or had, an encrypted store: whether the header file exists, valid or not. The errors are those
// of [dir.Open].
func Found(folder string) (bool, error) {
	disk, err := dir.Open(folder, dir.Options{})
	if err != nil {
		return false, err
	}
	defer disk.Close()
	_, err = disk.Lstat(HeaderName)
	if errors.Is(err, backend.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// ready checks that the directory still has this store.
func (d *EncryptedDir) ready() error {
	h, err := readHeader(d.disk)
	if err == nil && !d.keys.marked(h.Mark) {
		err = ErrKey
	}
	if err != nil {
		return fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	return nil
}

// Path implements [backend.DiskNamer].
func (d *EncryptedDir) Path() string { return d.disk.Path() }

// DiskName implements [backend.DiskNamer].
func (d *EncryptedDir) DiskName(name string) string {
	if name == "." {
		return name
	}
	segments := strings.Split(name, "/")
	for i, s := range segments {
		segments[i] = d.keys.names.seal(s)
	}
	return strings.Join(segments, "/")
}

// StoreName implements [backend.DiskNamer]. A change to the header is a change to the whole store.
func (d *EncryptedDir) StoreName(disk string) (name string, ok bool) {
	if disk == "." || disk == HeaderName {
		return ".", true
	}
	segments := strings.Split(disk, "/")
	for i, s := range segments {
		var err error
		if segments[i], err = d.keys.names.open(s); err != nil {
			return "", false
		}
	}
	return strings.Join(segments, "/"), true
}

// Lock implements [backend.Backend].
func (d *EncryptedDir) Lock(ctx context.Context) (func(), error) { return d.disk.Lock(ctx) }

// Close implements [backend.Backend].
func (d *EncryptedDir) Close() error { return d.disk.Close() }
