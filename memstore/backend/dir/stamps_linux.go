//go:build linux && (amd64 || arm64)

package dir

import (
	"os"
	"syscall"
	"time"
	"unsafe"
)

const timeOmit = 1<<30 - 2 // UTIME_OMIT, as nanoseconds: keep this time

// setLinkTime is utimensat(2) on the link base in dir; it keeps the access time.
func setLinkTime(dir *os.File, base string, at time.Time) error {
	name, err := syscall.BytePtrFromString(base)
	if err != nil {
		return err
	}
	times := [2]syscall.Timespec{{Nsec: timeOmit}, syscall.NsecToTimespec(at.UnixNano())}
	_, _, errno := syscall.Syscall6(syscall.SYS_UTIMENSAT, dir.Fd(), uintptr(unsafe.Pointer(name)),
		uintptr(unsafe.Pointer(&times[0])), atNoFollow, 0, 0)
	if errno != 0 {
		return &os.PathError{Op: "utimensat", Path: base, Err: errno}
	}
	return nil
}
