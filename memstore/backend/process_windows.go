package backend

import (
	"errors"
	"syscall"
)

// ProcessDead reports whether no process has this ID.
func ProcessDead(pid int) bool {
	const queryLimitedInformation = 0x1000
	const errorInvalidParameter syscall.Errno = 87
	handle, err := syscall.OpenProcess(queryLimitedInformation, false, uint32(pid))
	if err != nil {
		return errors.Is(err, errorInvalidParameter)
	}
	_ = syscall.CloseHandle(handle)
	return false
}
