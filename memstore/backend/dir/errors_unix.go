//go:build unix

package dir

import "syscall"

// platformErrno adds nothing: the common table holds every Unix error.
func platformErrno(syscall.Errno) (error, bool) { return nil, false }

// linksMissing reports whether a failed hard link means that this file system, or
// this kind of file on it, has no hard links.
func linksMissing(errno syscall.Errno) bool {
	switch errno {
	case syscall.EPERM, syscall.EMLINK, syscall.EXDEV:
		return true
	}
	return notSupported(errno)
}

// syncMissing reports whether a failed fsync of a directory means that the file
// system cannot do that.
func syncMissing(errno syscall.Errno) bool {
	return errno == syscall.EINVAL || notSupported(errno)
}

// notSupported knows the ways to say so; on some systems two of them are one number.
func notSupported(errno syscall.Errno) bool {
	return errno == syscall.ENOSYS || errno == syscall.ENOTSUP || errno == syscall.EOPNOTSUPP
}
