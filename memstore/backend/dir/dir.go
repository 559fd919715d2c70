// Package dir keeps a store in a directory of the file system.
//
// All access goes through an [os.Root]: no name and no link leads out of the directory, whatever an agent or another program puts there.
// Writes are whole or absent, durable once they return, and serialized with those of other processes by a lock on the directory itself.
// Reading changes nothing, not even access times if the system allows. The handlers of package memstore call it, and so does package age,
// which encrypts on top of it.
package dir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"
)

// Options are the settings of [Open].
type Options struct {
	// Create makes the directory and its missing parents, 0700.
	Create bool
	// Lazy doesn't look whether the directory is there, so that Open finds no fault with it.
	Lazy bool
}

// Dir is the [backend.Backend] that keeps a store in a directory. Each call opens the directory at the path, so that one that was replaced
// meanwhile is seen. A missing directory is [backend.ErrUnavailable]; it is never created again. So is an empty one in the place of
// another, which is what a lost mount leaves.
//
// Files and links are stored as they are. Links are followed as [os.Root] does: relative ones that stay inside. A replaced file keeps its
// mode and, if possible, its owner, but not its access control lists and extended attributes.
type Dir struct {
	path     string
	patience time.Duration // how long Lock waits for another process
	turn     chan struct{} // holds a token while this process has the lock

	mu     sync.Mutex
	last   fs.FileInfo // the directory as it was opened last; nil: it was not
	closed bool
}

// Open opens the directory at a path as a backend. The error is [backend.ErrNotExist] for a missing path, [backend.ErrNotDir] for one that
// is not a directory, and [backend.ErrPermission] for an unreadable one.
func Open(dir string, o Options) (*Dir, error) {
	path, err := filepath.Abs(dir)
	if err == nil && o.Create {
		err = os.MkdirAll(path, 0o700)
	}
	if err != nil {
		return nil, classify(err)
	}
	d := &Dir{path: path, patience: backend.LockPatience, turn: make(chan struct{}, 1)}
	if o.Lazy {
		return d, nil
	}
	root, err := d.open()
	if err != nil {
		return nil, classify(err)
	}
	defer root.Close()
	f, err := quietfile.OpenIn(root, ".", quietfile.Directory) // fails if it can't be listed
	if err != nil {
		return nil, classify(err)
	}
	return d, f.Close()
}

// Path returns the absolute path of the directory as it was given. It is for people and never appears in a result for the agent.
func (d *Dir) Path() string { return d.path }

// DiskName implements [backend.DiskNamer].
func (d *Dir) DiskName(name string) string { return name }

// StoreName implements [backend.DiskNamer].
func (d *Dir) StoreName(disk string) (name string, ok bool) { return disk, true }

// Close implements [backend.Backend].
func (d *Dir) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	return nil
}

// open opens the directory that is at the path now.
func (d *Dir) open() (*os.Root, error) {
	// The final dot keeps the open from blocking on a FIFO in place of the directory.
	root, err := os.OpenRoot(d.path + string(os.PathSeparator) + ".")
	var named *fs.PathError
	if errors.As(err, &named) {
		named.Path = d.path // as people know it
	}
	if err != nil {
		return nil, err
	}
	now, err := root.Stat(".")
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case err != nil:
	case d.closed:
		err = fs.ErrClosed
	case d.last != nil && !os.SameFile(d.last, now) && isEmpty(root):
		err = errors.New("an empty directory is in its place")
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	d.last = now
	return root, nil
}

func isEmpty(root *os.Root) bool {
	f, err := quietfile.OpenIn(root, ".", quietfile.Directory)
	if err != nil {
		return true
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return err != nil
}

// in runs do in the directory, and wraps its error together with a sentinel.
func (d *Dir) in(do func(root *os.Root) error) error {
	root, err := d.open()
	if err != nil {
		return fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	defer root.Close()
	if err = do(root); err == nil {
		return nil
	}
	// Package os doesn't export the error for a name that leads out, so it is provoked.
	if _, out := root.Lstat(".."); out != nil && errors.Is(err, errors.Unwrap(out)) {
		return fmt.Errorf("%w: %w", backend.ErrEscapes, err)
	}
	return classify(err)
}
