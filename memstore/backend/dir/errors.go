package dir

import (
	"errors"
	"fmt"
	"syscall"

	"memcurator/memstore/backend"
)

// errnoSentinels maps system errors to the sentinels of package backend.
// Unlisted errors either match a sentinel by themselves (ENOENT, EEXIST,
// EACCES, EPERM) or stay as they are.
var errnoSentinels = map[syscall.Errno]error{
	syscall.ENOSPC:       backend.ErrNoSpace,
	syscall.EDQUOT:       backend.ErrNoSpace,
	syscall.EFBIG:        backend.ErrNoSpace,
	syscall.ENAMETOOLONG: backend.ErrNameTooLong,
	syscall.EROFS:        backend.ErrPermission,
	syscall.ELOOP:        backend.ErrLinkLoop,
	syscall.ENOTDIR:      backend.ErrNotDir,
	syscall.EISDIR:       backend.ErrIsDir,
	syscall.ENXIO:        backend.ErrNotRegular, // opening a socket
	syscall.ESTALE:       backend.ErrUnavailable,
	syscall.ENOTCONN:     backend.ErrUnavailable, // a FUSE mount whose server is gone
	syscall.ENODEV:       backend.ErrUnavailable,
}

// classify wraps an error together with its sentinel, once.
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
