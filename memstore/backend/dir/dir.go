// Package dir keeps a store in a directory of the file system.
//
// All access goes through one [os.Root]: no link leads out, whatever an agent or another program puts there. Writes are whole or absent,
// durable once they return, and serialized with those of other processes by a lock on the directory itself. Reading changes nothing, not
// even access times if the system allows. The handlers of package memstore call it, and so does package age, which encrypts on top of it.
package dir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"memcurator/memstore/backend"
)

// Options are the settings of [Open].
type Options struct {
	// Create makes the directory and its missing parents, 0700 whatever the umask.
	Create bool
	// Lazy leaves the directory closed until a call needs it, so that Open finds no fault with it. Until then a file right in the directory
	// is read by its path, which costs a third of the system calls.
	Lazy bool

	// fault is called before each step of a write; an error makes the step fail.
	// Tests use it to prove that a failure anywhere leaves either the old or the
	// new bytes.
	fault faults
}

// Dir is the [backend.Backend] that keeps a store in a directory. All access goes through an [os.Root], so that no name and no link leads
// out of the directory, even if another program swaps it meanwhile.
//
// Each call compares the directory at the path with the open one, and reopens it if it was replaced. A missing directory is
// [backend.ErrUnavailable]; it is never created again. So is one that was replaced by a link, since the user didn't name the
// link's target; a path that was a link from the start may be changed to point elsewhere.
//
// Reading a directory, and reading a file with [backend.Look], leaves its access time alone if the system allows. Files and links are
// stored as they are. A replaced file keeps its mode and, if possible, its owner, but not its access control lists and extended
// attributes.
type Dir struct {
	handles handles
	// patience is how long Lock waits for another process: backend.LockPatience.
	patience time.Duration
	turn     chan struct{} // holds a token while this process has the lock
}

// Open opens the directory dir as a backend. The error is [backend.ErrNotExist] for a missing path, [backend.ErrNotDir] for one that is
// not a directory, and [backend.ErrPermission] for an unreadable one.
func Open(dir string, o Options) (*Dir, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	if o.Create {
		if err := makeStoreDir(path); err != nil {
			return nil, classify(err)
		}
	}
	d := &Dir{
		handles:  handles{path: path, rawPath: append([]byte(path), 0), fault: o.fault},
		patience: backend.LockPatience,
		turn:     make(chan struct{}, 1),
	}
	if o.Lazy {
		return d, nil
	}
	if err := d.handles.open(); err != nil {
		return nil, err
	}
	return d, nil
}

// makeStoreDir makes path and its missing parents with mode 0700.
func makeStoreDir(path string) error {
	var missing []string
	for p := path; ; p = filepath.Dir(p) {
		if _, err := os.Lstat(p); !errors.Is(err, backend.ErrNotExist) {
			break
		}
		missing = append(missing, p)
	}
	for _, p := range slices.Backward(missing) {
		err := os.Mkdir(p, 0o700)
		if errors.Is(err, backend.ErrExist) {
			continue // another goroutine was faster
		}
		if err == nil {
			err = os.Chmod(p, 0o700) // the umask may have cleared bits
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Path returns the absolute path of the directory as it was given. It is for
// people and never appears in a result for the agent.
func (d *Dir) Path() string { return d.handles.path }

// Close closes the directory once the calls under way have ended.
func (d *Dir) Close() error {
	d.handles.close()
	return nil
}
