// Package dir keeps a store in a directory of the file system.
//
// All access goes through one [os.Root]: no link leads out, whatever an agent or another program puts there. Writes are whole
// or absent and durable once they return, and take turns with the writers of other processes under a lock on the directory
// itself. Looking changes nothing, also not the access times where the system allows that. The handlers of
// package memstore are its callers, and the package age, which encrypts on top of it.
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

	// fault is asked before each step of a write; an error makes the step fail.
	// Tests use it to prove that a failure anywhere leaves old or new bytes.
	fault faults
}

// Dir is the [backend.Backend] that keeps a store in a directory. All access goes
// through an [os.Root], so that no name and no link, however it is swapped
// meanwhile, leads out of the directory.
//
// Each call compares the directory at the path with the one that is open, and
// opens it anew when it was replaced. A directory that is gone is
// [backend.ErrUnavailable]; it is never made again. So is one in whose place a link has come:
// its target was not named. A path that was a link from the start may be pointed elsewhere.
//
// Reading a directory, and reading a file with [backend.Look], leaves its access time
// alone where the system allows that. Files and links are kept as the system
// has them; of a replaced file the mode and, where we may, the owner stay, access
// control lists and extended attributes do not.
type Dir struct {
	handles handles
	// patience is how long Lock waits for another process: backend.LockPatience.
	patience time.Duration
	turn     chan struct{} // holds one token while this process has the lock
}

// Open opens the directory dir as a backend. The errors are [backend.ErrNotExist],
// [backend.ErrNotDir] and [backend.ErrPermission] for a path that is missing, no directory or
// not readable.
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
			continue // another goroutine was quicker
		}
		if err == nil {
			err = os.Chmod(p, 0o700) // the umask may have taken bits away
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Path returns the absolute path of the directory, as it was given. It is for
// people and never goes into a result for the agent.
func (d *Dir) Path() string { return d.handles.path }

// Close frees the directory once the calls under way have ended.
func (d *Dir) Close() error {
	d.handles.close()
	return nil
}
