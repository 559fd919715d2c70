//go:build unix

package dir

import (
	"os"
	"syscall"

	"memcurator/memstore/backend"
)

// dirID identifies a directory, to notice when it is replaced.
type dirID struct{ device, inode uint64 }

func identify(f *os.File) (dirID, error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &st); err != nil {
		return dirID{}, &os.PathError{Op: "fstat", Path: f.Name(), Err: err}
	}
	return dirID{uint64(st.Dev), uint64(st.Ino)}, nil //nolint:unconvert // the types differ between systems
}

// isAt reports whether the directory is still at path, which ends in a NUL.
// If nothing is there, the error says why; if another directory is, it is
// nil.
func (id dirID) isAt(path []byte) (bool, error) {
	var st syscall.Stat_t
	if err := statPath(path, &st); err != nil {
		return false, err
	}
	return uint64(st.Dev) == id.device && uint64(st.Ino) == id.inode, nil //nolint:unconvert // as above
}

// mountLost reports whether now may be the bare mount point of a file system
// that had the store.
func (id dirID) mountLost(now dirID) bool { return id.device != now.device }

// isRegularAt reports whether a path leads to a regular file, without following a link in its last segment.
func isRegularAt(path string) bool {
	var st syscall.Stat_t
	return syscall.Lstat(path, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFREG
}

// FileID is the identity of a file whose information is at hand; zero where the system knows none.
func FileID(fi os.FileInfo) backend.FileID {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return backend.FileID{}
	}
	return backend.FileID{Device: uint64(st.Dev), Inode: uint64(st.Ino)} //nolint:unconvert // as above
}

// keepOwner sets the owner of f to that of old, if the system allows.
func keepOwner(f *os.File, old os.FileInfo) {
	var now syscall.Stat_t
	st, ok := old.Sys().(*syscall.Stat_t)
	if !ok || syscall.Fstat(int(f.Fd()), &now) != nil {
		return
	}
	if st.Uid != now.Uid || st.Gid != now.Gid {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}

// mayEmpty reports whether the entries of the folder f can be removed. It only checks folders that we own; the removal itself decides
// about others.
func mayEmpty(f *os.File) error {
	var st syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &st); err != nil {
		return err
	}
	me := os.Geteuid()
	if me == 0 || int(st.Uid) != me || st.Mode&0o300 == 0o300 {
		return nil
	}
	return &os.PathError{Op: "remove", Path: f.Name(), Err: backend.ErrPermission}
}
