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
	"sync"
	"time"

	"memcurator/memstore/backend"
)

// Options are the settings of [Open].
type Options struct {
	// Create makes the directory and its missing parents, 0700 whatever the umask.
	Create bool

	// fault is asked before each step of a write; an error makes the step fail.
	// Tests use it to prove that a failure anywhere leaves old or new bytes.
	fault func(faultStep) error
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
	path    string // absolute, as given: links above its end are followed at each call
	direct  bool   // no link lay at the path when it was opened, and none may
	rawPath []byte // path with a final NUL, for the system call at the start of each call
	fault   func(faultStep) error
	// patience is how long Lock waits for another process: backend.LockPatience.
	patience time.Duration
	turn     chan struct{} // holds one token while this process has the lock

	mu      sync.Mutex // guards what follows and openRoot.refs
	current *openRoot  // nil after Close
	closed  bool
	locked  *openRoot // the directory that the holder of the turn has locked
	swept   map[string]sweepMark
}

// openRoot is one opened directory. It is shared by the calls under way and closed
// when the last one lets go of it after it was replaced.
type openRoot struct {
	root *os.Root
	self *os.File // the directory itself: identity, flock
	id   dirID
	// escape is what this Root answers to a name that leads out of it. The
	// package os exports no sentinel for it, so it is asked for once.
	escape error
	lock   lockFile // what the platform needs beside self to take turns
	refs   int      // guarded by Dir.mu; 1 for being Dir.current
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
	h, err := openRootAt(path)
	if err != nil {
		return nil, err
	}
	return &Dir{
		path:     path,
		direct:   h.liesAt(path),
		rawPath:  append([]byte(path), 0),
		fault:    o.fault,
		patience: backend.LockPatience,
		turn:     make(chan struct{}, 1),
		current:  h,
		swept:    map[string]sweepMark{},
	}, nil
}

// openRootAt opens path, which must be a directory that can be listed and entered.
func openRootAt(path string) (*openRoot, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, classify(err)
	}
	if !info.IsDir() {
		return nil, &os.PathError{Op: "open", Path: path, Err: backend.ErrNotDir}
	}
	// The final dot keeps the open from waiting on a FIFO that takes the
	// directory's place just now.
	root, err := os.OpenRoot(path + string(os.PathSeparator) + ".")
	if err != nil {
		return nil, classify(err)
	}
	h := &openRoot{root: root, refs: 1}
	if h.self, err = root.OpenFile(".", os.O_RDONLY|openDirFlags, 0); err == nil {
		if h.id, err = identify(h.self); err == nil {
			_, err = root.Lstat(".") // fails where the directory may be read but not entered
		}
	}
	if err != nil {
		h.close()
		return nil, classify(err)
	}
	if _, out := root.Lstat(".."); out != nil {
		h.escape = errors.Unwrap(out)
	}
	return h, nil
}

// liesAt reports whether the directory itself, and no link, lies at path.
func (h *openRoot) liesAt(path string) bool {
	there, err := os.Lstat(path)
	if err != nil {
		return false
	}
	self, err := h.self.Stat()
	return err == nil && os.SameFile(there, self)
}

func (h *openRoot) close() {
	h.lock.close()
	if h.self != nil {
		_ = h.self.Close()
	}
	_ = h.root.Close()
}

// empty reports whether nothing lies in the directory; an unreadable one counts as empty.
func (h *openRoot) empty() bool {
	f, err := openQuietly(h.root, ".", os.O_RDONLY|openDirFlags)
	if err != nil {
		return true
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return err != nil
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
func (d *Dir) Path() string { return d.path }

// Close frees the directory once the calls under way have ended.
func (d *Dir) Close() error {
	d.mu.Lock()
	h := d.current
	d.current, d.closed = nil, true
	d.mu.Unlock()
	if h != nil {
		d.release(h)
	}
	return nil
}

// acquire returns the open directory after checking that it still is what lies
// at the path. The caller gives it back with release.
func (d *Dir) acquire() (*openRoot, error) {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, os.ErrClosed)
	}
	h := d.current
	h.refs++
	d.mu.Unlock()

	same, err := h.id.isAt(d.rawPath)
	if same {
		return h, nil
	}
	defer d.release(h)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	return d.reopen(h)
}

// reopen opens what lies at the path now in the place of the directory gone that was
// replaced. An empty directory on another device is what a lost mount leaves, and one in the place of a directory that
// still has its files is what a move leaves: neither is an empty memory.
func (d *Dir) reopen(gone *openRoot) (*openRoot, error) {
	h, err := openRootAt(d.path)
	if err == nil && (gone.id.mountLost(h.id) || !gone.empty()) && h.empty() {
		h.close()
		err = errors.New("an empty directory is in its place")
	}
	if err == nil && d.direct && !h.liesAt(d.path) {
		h.close()
		err = errors.New("a link is in its place")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		h.close()
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, os.ErrClosed)
	}
	old := d.current
	d.current = h
	h.refs++
	clear(d.swept)
	d.mu.Unlock()
	d.release(old)
	return h, nil
}

// acquireToWrite is acquire for a write. Whoever holds the turn holds it for one
// directory: when that was replaced since, the turn is worth nothing and the
// write is refused.
func (d *Dir) acquireToWrite() (*openRoot, error) {
	h, err := d.acquire()
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	replaced := d.locked != nil && d.locked != h
	d.mu.Unlock()
	if replaced {
		d.release(h)
		return nil, fmt.Errorf("%w: the directory was replaced during the edit", backend.ErrUnavailable)
	}
	return h, nil
}

func (d *Dir) release(h *openRoot) {
	d.mu.Lock()
	h.refs--
	last := h.refs == 0
	d.mu.Unlock()
	if last {
		h.close()
	}
}

// fail gives an error of the system its sentinel. Nothing found in a directory
// that is itself gone proves nothing about the file: that is [backend.ErrUnavailable].
func (d *Dir) fail(h *openRoot, err error) error {
	if err == nil {
		return nil
	}
	if h.escape != nil && errors.Is(err, h.escape) {
		return fmt.Errorf("%w: %w", backend.ErrEscapes, err)
	}
	err = classify(err)
	if errors.Is(err, backend.ErrNotExist) {
		if same, _ := h.id.isAt(d.rawPath); !same {
			return fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
		}
	}
	return err
}
