//go:build unix

package dir

import "syscall"

// platformErrno adds nothing: the common table has every Unix error.
func platformErrno(syscall.Errno) (error, bool) { return nil, false }

// linksMissing reports whether a hard link failed because this file system,
// or this kind of file on it, doesn't support them.
func linksMissing(errno syscall.Errno) bool {
	switch errno {
	case syscall.EPERM, syscall.EMLINK, syscall.EXDEV:
		return true
	}
	return notSupported(errno)
}

// syncMissing reports whether fsync of a directory failed because the file
// system doesn't support it.
func syncMissing(errno syscall.Errno) bool {
	return errno == syscall.EINVAL || notSupported(errno)
}

// notSupported covers all error numbers for this; on some systems two of them are equal.
func notSupported(errno syscall.Errno) bool {
	return errno == syscall.ENOSYS || errno == syscall.ENOTSUP || errno == syscall.EOPNOTSUPP
}
