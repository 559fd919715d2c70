//go:build unix

package dir

import (
	"os"
	"syscall"

	"memcurator/memstore/backend"
)

// O_NONBLOCK keeps a FIFO from holding up the open and spares os.File four
// system calls; a terminal must not become ours.
const (
	openFileFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY
	openDirFlags  = syscall.O_NONBLOCK | syscall.O_DIRECTORY
)

// dirID tells a directory from the one that takes its place.
type dirID struct{ device, inode uint64 }

func identify(f *os.File) (dirID, error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &st); err != nil {
		return dirID{}, &os.PathError{Op: "fstat", Path: f.Name(), Err: err}
	}
	return dirID{uint64(st.Dev), uint64(st.Ino)}, nil //nolint:unconvert // the types differ between systems
}

// isAt reports whether the directory is still at path, which ends in a NUL. The
// error says why nothing could be found there; it is nil when another directory is.
func (id dirID) isAt(path []byte) (bool, error) {
	var st syscall.Stat_t
	if err := statPath(path, &st); err != nil {
		return false, err
	}
	return uint64(st.Dev) == id.device && uint64(st.Ino) == id.inode, nil //nolint:unconvert // as above
}

// mountLost reports whether now may be the bare mount point below the file system
// that held the store.
func (id dirID) mountLost(now dirID) bool { return id.device != now.device }

func fileID(fi os.FileInfo) backend.FileID {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return backend.FileID{}
	}
	return backend.FileID{Device: uint64(st.Dev), Inode: uint64(st.Ino)} //nolint:unconvert // as above
}

// keepOwner gives f the owner that old has, where the system lets us.
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

// mayEmpty reports whether the entries of the folder f can be removed. It judges only
// folders of our own; about those of others the system decides when it comes to it.
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
