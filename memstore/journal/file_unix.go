//go:build unix

package journal

import (
	"io"
	"os"
	"syscall"
)

// canWrite reports whether this process may write the file at path, which it does not open.
func canWrite(path string) bool { return syscall.Access(path, 2) == nil } // W_OK

// isOpenElsewhere reports whether another process has the journal file open: each keeps a shared lock on one byte of the index of
// the log. This process must not have it open (see doc.go).
func isOpenElsewhere(file string) bool {
	f, err := os.OpenFile(file+"-shm", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // nothing was written
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: 128, Len: 1}
	return syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &lock) == nil && lock.Type != syscall.F_UNLCK
}
