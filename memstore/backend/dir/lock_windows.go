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

	"memcurator/memstore/backend"
)

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

const (
	lockfileFailImmediately               = 1
	lockfileExclusive                     = 2
	errorLockViolation      syscall.Errno = 33
	errorIOPending          syscall.Errno = 997
)

// tryLock locks a file outside the store, named by a hash of the store's real path, since Windows can't lock a directory;
// [backend.ErrBusy] where another process has it.
func tryLock(_ *os.Root, path string) (release func(), err error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir() // a service account without a profile
	}
	folder := filepath.Join(cache, "memcurator", "locks")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(strings.ToLower(real)))
	f, err := os.OpenFile(filepath.Join(folder, hex.EncodeToString(sum[:16])+".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	var where syscall.Overlapped
	ok, _, err := lockFileEx.Call(f.Fd(), lockfileExclusive|lockfileFailImmediately, 0, 1, 0, uintptr(unsafe.Pointer(&where)))
	if ok != 0 {
		return func() { _ = f.Close() }, nil
	}
	if errors.Is(err, errorLockViolation) || errors.Is(err, errorIOPending) {
		err = backend.ErrBusy
	}
	return nil, errors.Join(err, f.Close())
}
