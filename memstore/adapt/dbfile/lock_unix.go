//go:build unix

package dbfile

import (
	"io"
	"os"
	"syscall"
)

// Where SQLite locks a file, whatever its size, by the documentation of the file format.
const (
	lockedFrom  = 1 << 30
	lockedBytes = 512
)

// locked asks for the process that has a lock to write. Those that only read don't count: they go on with the file of before.
func locked(f *os.File) (process int, ok bool) {
	l := syscall.Flock_t{Type: syscall.F_RDLCK, Whence: io.SeekStart, Start: lockedFrom, Len: lockedBytes}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &l); err != nil || l.Type == syscall.F_UNLCK {
		return 0, false
	}
	return max(0, int(l.Pid)), true
}
