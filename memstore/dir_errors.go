package memstore

import (
	"errors"
	"fmt"
	"syscall"
)

// errnoSentinels says what an error of the system means to the handlers. What is
// not listed either matches a sentinel by itself (ENOENT, EEXIST, EACCES, EPERM)
// or stays as it is.
var errnoSentinels = map[syscall.Errno]error{
	syscall.ENOSPC:       ErrNoSpace,
	syscall.EDQUOT:       ErrNoSpace,
	syscall.EFBIG:        ErrNoSpace,
	syscall.ENAMETOOLONG: ErrNameTooLong,
	syscall.EROFS:        ErrPermission,
	syscall.ELOOP:        ErrLinkLoop,
	syscall.ENOTDIR:      ErrNotDir,
	syscall.EISDIR:       ErrIsDir,
	syscall.ENXIO:        ErrNotRegular, // opening a socket
	syscall.ESTALE:       ErrUnavailable,
	syscall.ENOTCONN:     ErrUnavailable, // a FUSE mount whose server is gone
	syscall.ENODEV:       ErrUnavailable,
}

// classify gives an error the sentinel of this package, once; the cause stays wrapped beside it.
func classify(err error) error {
	if err == nil {
		return nil
	}
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return err
	}
	sentinel, ok := errnoSentinels[errno]
	if !ok {
		sentinel, ok = platformErrno(errno)
	}
	if !ok || errors.Is(err, sentinel) {
		return err
	}
	return fmt.Errorf("%w: %w", sentinel, err)
}
