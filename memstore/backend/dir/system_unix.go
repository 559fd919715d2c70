//go:build unix

package dir

import (
	"io/fs"
	"os"
	"syscall"

	"memcurator/memstore/backend"
)

// fileID is the identity of a file; zero where the system knows none.
func fileID(info fs.FileInfo) backend.FileID {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return backend.FileID{}
	}
	return backend.FileID{Device: uint64(st.Dev), Inode: uint64(st.Ino)} //nolint:unconvert // the types differ between systems
}

// keepOwner sets the owner of a new file to that of old, if the system allows.
func keepOwner(f *os.File, old fs.FileInfo) {
	if st, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}

// Writable reports whether this process may add files to the directory (W_OK is 2).
func (d *Dir) Writable() bool { return syscall.Access(d.path, 2) == nil }

// platformErrno adds nothing: the common table has every Unix error.
func platformErrno(syscall.Errno) (error, bool) { return nil, false }

// linksMissing reports whether a hard link failed because this file system, or this kind of file on it, doesn't support them.
func linksMissing(errno syscall.Errno) bool {
	switch errno {
	case syscall.EPERM, syscall.EMLINK, syscall.EXDEV, syscall.ENOSYS, syscall.ENOTSUP:
		return true
	}
	return errno == syscall.EOPNOTSUPP // on some systems the same as ENOTSUP
}
