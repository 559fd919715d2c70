//go:build linux && (amd64 || arm64)

package dir

import (
	"os"
	"syscall"
	"unsafe"
)

// Every operation starts with these two calls. Package syscall would copy the
// path to the heap each time; a view has eight allocations in all.

const (
	atCurrentDir     = ^uintptr(0x64 - 1) // AT_FDCWD, -100
	atNoFollow       = 0x100              // AT_SYMLINK_NOFOLLOW
	longestShortName = 255                // names up to this length are copied to the stack
)

// statPath is stat(2). The path ends in a NUL.
func statPath(path []byte, st *syscall.Stat_t) error {
	return fstatat(atCurrentDir, &path[0], st, 0)
}

// looksRegular reports whether name is a regular file, without following a
// link in its last segment. It is a hint, not a check of containment: that is
// up to the Root that opens the name afterwards.
func looksRegular(dir *os.File, name string) bool {
	var buf [longestShortName + 1]byte
	if len(name) > longestShortName {
		return false
	}
	copy(buf[:], name)
	var st syscall.Stat_t
	err := fstatat(dir.Fd(), &buf[0], &st, atNoFollow)
	return err == nil && st.Mode&syscall.S_IFMT == syscall.S_IFREG
}

func fstatat(dir uintptr, path *byte, st *syscall.Stat_t, flags uintptr) error {
	for {
		_, _, errno := syscall.Syscall6(sysFstatat, dir, uintptr(unsafe.Pointer(path)),
			uintptr(unsafe.Pointer(st)), flags, 0, 0)
		switch errno {
		case 0:
			return nil
		case syscall.EINTR:
		default:
			return errno
		}
	}
}
