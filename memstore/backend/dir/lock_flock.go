//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package dir

import (
	"errors"
	"syscall"
)

// lockFile is empty: the directory's own descriptor carries the lock, so no
// lock file appears in the store.
type lockFile struct{}

func (*lockFile) close() {}

// tryLock takes the lock unless another process has it.
func (h *openRoot) tryLock(string) (bool, error) {
	for {
		err := syscall.Flock(int(h.self.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return true, nil
		}
		var errno syscall.Errno
		errors.As(err, &errno)
		switch {
		case errno == syscall.EINTR:
		case errno == syscall.EWOULDBLOCK:
			return false, nil
		case errno == syscall.ENOLCK, errno == syscall.EINVAL, notSupported(errno):
			return true, nil // no locks here: only the comparison before each switch protects the file
		default:
			return false, err
		}
	}
}

func (h *openRoot) unlock() {
	_ = syscall.Flock(int(h.self.Fd()), syscall.LOCK_UN)
}
