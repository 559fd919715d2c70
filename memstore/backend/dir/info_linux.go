package dir

import (
	"os"
	"path"
	"syscall"
	"time"

	"memcurator/memstore/backend"
)

// infoOfOpen is File.Stat without the allocation. Control keeps the
// descriptor open during the call: once closed, it could refer to another
// file.
func infoOfOpen(f *os.File) (backend.Info, error) {
	var st syscall.Stat_t
	conn, err := f.SyscallConn()
	if err != nil {
		return backend.Info{}, err
	}
	if conn.Control(func(fd uintptr) { err = syscall.Fstat(int(fd), &st) }) != nil {
		err = os.ErrClosed
	}
	if err != nil {
		return backend.Info{}, &os.PathError{Op: "fstat", Path: f.Name(), Err: err}
	}
	return infoOfStat(path.Base(f.Name()), &st), nil
}

func infoOfStat(name string, st *syscall.Stat_t) backend.Info {
	mode := modeOf(st.Mode)
	return backend.Info{
		Name:    name,
		Kind:    kindOf(mode),
		Size:    st.Size,
		Mode:    mode,
		ModTime: time.Unix(st.Mtim.Unix()),
		ID:      backend.FileID{Device: uint64(st.Dev), Inode: st.Ino}, //nolint:unconvert // 32 bits on some machines
	}
}

// modeOf translates a system file mode.
func modeOf(m uint32) os.FileMode {
	mode := os.FileMode(m & 0o777)
	switch m & syscall.S_IFMT {
	case syscall.S_IFBLK:
		mode |= os.ModeDevice
	case syscall.S_IFCHR:
		mode |= os.ModeDevice | os.ModeCharDevice
	case syscall.S_IFDIR:
		mode |= os.ModeDir
	case syscall.S_IFIFO:
		mode |= os.ModeNamedPipe
	case syscall.S_IFLNK:
		mode |= os.ModeSymlink
	case syscall.S_IFSOCK:
		mode |= os.ModeSocket
	}
	if m&syscall.S_ISUID != 0 {
		mode |= os.ModeSetuid
	}
	if m&syscall.S_ISGID != 0 {
		mode |= os.ModeSetgid
	}
	if m&syscall.S_ISVTX != 0 {
		mode |= os.ModeSticky
	}
	return mode
}
