package dir

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"
)

// handles are the open handles of the directory at a path: the current one, and former ones still in use.
type handles struct {
	path    string // absolute, as given; each call follows the links above its end
	direct  bool   // the path itself was not a link when it was opened, and must not become one
	rawPath []byte // path with a final NUL, for the system call at the start of each call
	fault   faults

	mu      sync.Mutex // guards the fields below and openRoot.refs
	current *openRoot  // nil after close, and before the first call with [Options.Lazy]
	closed  bool
	locked  *openRoot // the directory that the writer of this process has locked
}

// openRoot is one opened directory, shared by the calls under way. Once it
// has been replaced, the last call closes it.
type openRoot struct {
	of   *handles
	root *os.Root
	self *os.File // the directory itself: identity, flock
	id   dirID
	// escape is the error of this Root for a name that leads out. Package os
	// doesn't export it, so it is provoked once.
	escape error
	lock   lockFile    // what the platform needs for locking in addition to self
	refs   int         // guarded by handles.mu; handles.current counts as 1
	locked atomic.Bool // a writer of this process has it locked
	temps  temporaries
}

// open opens the directory for the first time.
func (hs *handles) open() error {
	h, err := hs.openRoot()
	if err != nil {
		return err
	}
	hs.current, hs.direct = h, h.isDirect()
	return nil
}

// openRoot opens the directory at the path, which must be readable and searchable.
func (hs *handles) openRoot() (*openRoot, error) {
	path := hs.path
	info, err := os.Stat(path)
	if err != nil {
		return nil, classify(err)
	}
	if !info.IsDir() {
		return nil, &os.PathError{Op: "open", Path: path, Err: backend.ErrNotDir}
	}
	// The final dot keeps the open from blocking on a FIFO that replaces the
	// directory at this moment.
	root, err := os.OpenRoot(path + string(os.PathSeparator) + ".")
	if err != nil {
		return nil, classify(err)
	}
	h := &openRoot{of: hs, root: root, refs: 1}
	if h.self, err = quietfile.OpenIn(root, ".", quietfile.Directory); err == nil {
		if h.id, err = identify(h.self); err == nil {
			_, err = root.Lstat(".") // fails if the directory can be read but not entered
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

// isDirect reports whether the path is the directory itself, not a link to it.
func (h *openRoot) isDirect() bool {
	there, err := os.Lstat(h.of.path)
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

// empty reports whether the directory has no entries; an unreadable one counts as empty.
func (h *openRoot) empty() bool {
	f, err := quietfile.OpenIn(h.root, ".", quietfile.Directory)
	if err != nil {
		return true
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return err != nil
}

// close closes the directory once the calls under way have ended.
func (hs *handles) close() {
	hs.mu.Lock()
	h := hs.current
	hs.current, hs.closed = nil, true
	hs.mu.Unlock()
	if h != nil {
		h.release()
	}
}

// setLocked records which directory the writer of this process has locked; nil: none.
func (hs *handles) setLocked(h *openRoot) {
	hs.mu.Lock()
	if hs.locked != nil {
		hs.locked.locked.Store(false)
	}
	if h != nil {
		h.locked.Store(true)
	}
	hs.locked = h
	hs.mu.Unlock()
}

// acquire returns the open directory after checking that it is still the one
// at the path. The caller releases it.
func (hs *handles) acquire() (*openRoot, error) {
	hs.mu.Lock()
	if hs.closed {
		hs.mu.Unlock()
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, os.ErrClosed)
	}
	if hs.current == nil { // nothing else has a handle to wait for
		if err := hs.open(); err != nil {
			hs.mu.Unlock()
			return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
		}
	}
	h := hs.current
	h.refs++
	hs.mu.Unlock()

	same, err := h.id.isAt(hs.rawPath)
	if same {
		return h, nil
	}
	defer h.release()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	return hs.reopen(h)
}

// reopen opens the directory that replaced gone. A lost mount leaves an empty directory on another device, and a move leaves an empty one
// while the old directory still has its files: neither is an empty memory.
func (hs *handles) reopen(gone *openRoot) (*openRoot, error) {
	h, err := hs.openRoot()
	if err == nil && (gone.id.mountLost(h.id) || !gone.empty()) && h.empty() {
		h.close()
		err = errors.New("an empty directory is in its place")
	}
	if err == nil && hs.direct && !h.isDirect() {
		h.close()
		err = errors.New("a link is in its place")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	hs.mu.Lock()
	if hs.closed {
		hs.mu.Unlock()
		h.close()
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, os.ErrClosed)
	}
	old := hs.current
	hs.current = h
	h.refs++
	hs.mu.Unlock()
	old.release()
	return h, nil
}

// acquireToWrite is acquire for a write. The lock belongs to one directory:
// if that has been replaced since, the lock protects nothing and the write is
// refused.
func (hs *handles) acquireToWrite() (*openRoot, error) {
	h, err := hs.acquire()
	if err != nil {
		return nil, err
	}
	hs.mu.Lock()
	replaced := hs.locked != nil && hs.locked != h
	hs.mu.Unlock()
	if replaced {
		h.release()
		return nil, fmt.Errorf("%w: the directory was replaced during the edit", backend.ErrUnavailable)
	}
	return h, nil
}

func (h *openRoot) release() {
	h.of.mu.Lock()
	h.refs--
	last := h.refs == 0
	h.of.mu.Unlock()
	if last {
		h.close()
	}
}

// fail wraps a system error with its sentinel. If the directory itself is gone, an error says nothing about the file: that is
// [backend.ErrUnavailable].
func (h *openRoot) fail(err error) error {
	if err == nil {
		return nil
	}
	if h.escape != nil && errors.Is(err, h.escape) {
		return fmt.Errorf("%w: %w", backend.ErrEscapes, err)
	}
	err = classify(err)
	if errors.Is(err, backend.ErrNotExist) {
		if same, _ := h.id.isAt(h.of.rawPath); !same {
			return fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
		}
	}
	return err
}
