//go:build linux && (amd64 || arm64)

package dir

import (
	"os"
	"syscall"
	"unsafe"

	"memcurator/memstore/backend"
)

// What statx(2) reports in addition to stat(2).
const (
	attributeImmutable = 0x10
	attributeAppend    = 0x20
	attributeMountRoot = 0x2000 // since Linux 5.8
	atNoAutomount      = 0x800
)

// statx is the beginning of struct statx.
type statx struct {
	mask, blockSize uint32
	attributes      uint64
	_               [240]byte
}

// fixed returns an error if name in a folder can't be removed because it is immutable or a mount point. On a kernel without statx, only
// the removal itself will tell.
func fixed(dir *os.File, name string) error {
	path, err := syscall.BytePtrFromString(name)
	if err != nil {
		return err
	}
	var st statx
	_, _, errno := syscall.Syscall6(sysStatx, dir.Fd(), uintptr(unsafe.Pointer(path)), atNoFollow|atNoAutomount, 0,
		uintptr(unsafe.Pointer(&st)), 0)
	switch {
	case errno != 0:
		return nil
	case st.attributes&attributeMountRoot != 0:
		err = backend.ErrMounted
	case st.attributes&(attributeImmutable|attributeAppend) != 0:
		err = backend.ErrPermission
	default:
		return nil
	}
	return &os.PathError{Op: "remove", Path: name, Err: err}
}
