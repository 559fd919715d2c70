package dir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"
)

var (
	kernel32     = syscall.NewLazyDLL("kernel32.dll")
	lockFileEx   = kernel32.NewProc("LockFileEx")
	unlockFileEx = kernel32.NewProc("UnlockFileEx")
)

const (
	lockfileFailImmediately               = 1
	lockfileExclusive                     = 2
	errorLockViolation      syscall.Errno = 33
	errorIOPending          syscall.Errno = 997
)

// lockFile is a file outside the store, named by a hash of the store's real
// path: Windows can't lock a directory. It is opened when first needed.
type lockFile struct{ file *os.File }

func (l *lockFile) close() {
	if l.file != nil {
		_ = l.file.Close()
	}
}

func (l *lockFile) open(path string) error {
	if l.file != nil {
		return nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir() // a service account without a profile
	}
	folder := filepath.Join(cache, "memcurator", "locks")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(strings.ToLower(real)))
	l.file, err = os.OpenFile(filepath.Join(folder, hex.EncodeToString(sum[:16])+".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	return err
}

// tryLock takes the lock unless another process has it. Only the holder of
// the token in this process calls it.
func (h *openRoot) tryLock(path string) (bool, error) {
	if err := h.lock.open(path); err != nil {
		return false, err
	}
	var where syscall.Overlapped
	ok, _, err := lockFileEx.Call(h.lock.file.Fd(), lockfileExclusive|lockfileFailImmediately, 0, 1, 0,
		uintptr(unsafe.Pointer(&where)))
	switch {
	case ok != 0:
		return true, nil
	case errors.Is(err, errorLockViolation), errors.Is(err, errorIOPending):
		return false, nil
	}
	return false, os.NewSyscallError("LockFileEx", err)
}

func (h *openRoot) unlock() {
	var where syscall.Overlapped
	_, _, _ = unlockFileEx.Call(h.lock.file.Fd(), 0, 1, 0, uintptr(unsafe.Pointer(&where)))
}
