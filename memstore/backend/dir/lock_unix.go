//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package dir

import (
	"errors"
	"os"
	"syscall"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"
)

// tryLock takes the lock of the directory itself, so that no file appears in the store; [backend.ErrBusy] where another process has it.
func tryLock(root *os.Root, _ string) (release func(), err error) {
	f, err := quietfile.OpenIn(root, ".", quietfile.Directory)
	if err != nil {
		return nil, err
	}
	for err = syscall.EINTR; errors.Is(err, syscall.EINTR); {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	switch {
	case err == nil:
	case errors.Is(err, syscall.EWOULDBLOCK):
		return nil, errors.Join(backend.ErrBusy, f.Close())
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.EINVAL), errors.Is(err, errors.ErrUnsupported):
		// No locks here: only the comparison before each switch protects the file.
	default:
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil
}
