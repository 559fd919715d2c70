//go:build unix

package backend

import (
	"errors"
	"syscall"
)

// ProcessDead reports whether no process has this id. Without a right to ask, it may be alive.
func ProcessDead(pid int) bool {
	return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
