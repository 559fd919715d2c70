package age

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"filippo.io/age"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// The errors of this package, for errors.Is, beside those of memstore.
var (
	// ErrKey is a key that does not open the store, or none at all.
	ErrKey = errors.New("the key does not open this store")
	// ErrNoStore is a directory that holds no encrypted store that this program knows.
	ErrNoStore = errors.New("no encrypted store")
	// ErrNotEmpty is a directory that holds something where a store was to be made.
	ErrNotEmpty = errors.New("the directory is not empty")
	// ErrDamaged is a file that the key of its store does not open: damaged, changed by
	// another key, or put there from elsewhere. It is [backend.ErrDamaged].
	ErrDamaged = fmt.Errorf("the file does not belong to this store: %w", backend.ErrDamaged)
)

// Dir is the [backend.Backend] that keeps a store in an encrypted directory. Safe for
// concurrent use, also by several processes.
//
// Each call makes sure that the header of the store is still there. A directory
// without it, say the empty one that a lost mount leaves, is [backend.ErrUnavailable]
// and never an empty store.
type Dir struct {
	disk *dir.Dir
	keys *keys

	mu   sync.Mutex
	seen backend.Info // the header file as it was when its mark was checked last
}

var (
	_ backend.Backend     = (*Dir)(nil)
	_ backend.FolderMaker = (*Dir)(nil)
	_ backend.AsideKeeper = (*Dir)(nil)
	_ backend.TempKeeper  = (*Dir)(nil)
	_ backend.DiskNamer   = (*Dir)(nil)
)

// Create makes an encrypted store in dir and opens it. The directory and its missing
// parents are made; one that is there must be empty ([ErrNotEmpty]), and a store
// in it is never replaced ([backend.ErrExist]). With a [Passphrase] an X25519 identity is
// made and put into the header; keep a copy ([Dir.WriteIdentity]), since without
// header or passphrase nothing can be read any more.
func Create(folder string, key Key) (*Dir, error) {
	id := key.identity
	if id == nil {
		made, err := age.GenerateX25519Identity()
		if err != nil {
			return nil, err
		}
		id = made
	}
	k, err := deriveKeys(id)
	if err != nil {
		return nil, err
	}
	h := newHeader(k)
	if key.identity == nil {
		if err := h.lockIdentity(k, key); err != nil {
			return nil, err
		}
	}
	disk, err := dir.Open(folder, dir.Options{Create: true})
	if err != nil {
		return nil, err
	}
	d, err := createIn(disk, k, h)
	if err != nil {
		_ = disk.Close()
		return nil, err
	}
	return d, nil
}

func createIn(disk *dir.Dir, k *keys, h header) (*Dir, error) {
	list, err := disk.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		switch {
		case e.Name == HeaderName:
			return nil, fmt.Errorf("an encrypted store already exists: %w", backend.ErrExist)
		case !backend.TempName(e.Name): // what a crash may have left
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
	d := &Dir{disk: disk, keys: k}
	return d, d.ready()
}

// Open opens the encrypted store in dir. The errors are those of [dir.Open],
// [ErrNoStore] and [ErrKey]. An identity also opens a store that has a passphrase, if it is its identity.
func Open(folder string, key Key) (*Dir, error) {
	disk, err := dir.Open(folder, dir.Options{})
	if err != nil {
		return nil, err
	}
	d := &Dir{disk: disk}
	h, _, info, err := readHeader(disk)
	if err == nil {
		d.seen = info
		d.keys, err = h.unlock(key)
	}
	if err != nil {
		_ = disk.Close()
		return nil, err
	}
	return d, nil
}

// Found reports whether there is an encrypted store in dir, or was: its header file is there,
// whatever it holds. The errors are those of [dir.Open].
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

// WantsPassphrase tells what to ask for before [Open]: whether a passphrase opens
// the store in dir. Where it does not, an identity file does.
func WantsPassphrase(folder string) (bool, error) {
	disk, err := dir.Open(folder, dir.Options{})
	if err != nil {
		return false, err
	}
	defer disk.Close()
	h, _, _, err := readHeader(disk)
	return len(h.Identity) > 0, err
}

// ready makes sure that the directory still holds this store. The file of the
// header is looked at each time, its bytes when it is another file than before.
func (d *Dir) ready() error {
	now, err := d.disk.Lstat(HeaderName)
	if errors.Is(err, backend.ErrNotExist) {
		return fmt.Errorf("%w: the header of the encrypted store is gone: %w", backend.ErrUnavailable, err)
	}
	if err != nil {
		return err
	}
	d.mu.Lock()
	known := d.seen.ID == now.ID && d.seen.Size == now.Size && d.seen.ModTime.Equal(now.ModTime)
	d.mu.Unlock()
	if known {
		return nil
	}
	h, _, read, err := readHeader(d.disk)
	if err == nil && !d.keys.marked(h.Mark) {
		err = ErrKey
	}
	if err != nil {
		return fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	d.mu.Lock()
	d.seen = read
	d.mu.Unlock()
	return nil
}

// SetPassphrase has the store opened by a new passphrase, in the place of the one
// before, and makes one that an identity file opens have a passphrase too. Files are not
// touched: they are encrypted to the identity, which stays the same. Who has a copy of
// the old header and knows the old passphrase still has the identity.
func (d *Dir) SetPassphrase(ctx context.Context, passphrase string) error {
	return d.setPassphrase(ctx, Passphrase(passphrase))
}

func (d *Dir) setPassphrase(ctx context.Context, p Key) error {
	h := newHeader(d.keys)
	if err := h.lockIdentity(d.keys, p); err != nil {
		return err
	}
	data, err := h.encode()
	if err != nil {
		return err
	}
	unlock, err := d.disk.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := d.ready(); err != nil {
		return err
	}
	_, old, _, err := readHeader(d.disk)
	if err != nil {
		return err
	}
	return d.disk.Replace(HeaderName, old, data)
}

// WriteIdentity writes the identity of the store as an identity file: for a copy
// in a safe place. Whoever has it can read the store.
func (d *Dir) WriteIdentity(w io.Writer) error {
	_, err := fmt.Fprintf(w, "# identity of an encrypted memory store\n%s\n", d.keys.text)
	return err
}

// DiskPath implements [backend.DiskNamer].
func (d *Dir) DiskPath() string { return d.disk.Path() }

// DiskName implements [backend.DiskNamer].
func (d *Dir) DiskName(name string) string {
	if name == "." {
		return name
	}
	segments := strings.Split(name, "/")
	for i, s := range segments {
		segments[i] = d.keys.names.seal(s)
	}
	return strings.Join(segments, "/")
}

// StoreName implements [backend.DiskNamer]. What happens to the header happens to the
// store as a whole.
func (d *Dir) StoreName(disk string) (name string, ok bool) {
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
func (d *Dir) Lock(ctx context.Context) (func(), error) { return d.disk.Lock(ctx) }

// Close implements [backend.Backend].
func (d *Dir) Close() error { return d.disk.Close() }
