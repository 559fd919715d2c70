//go:build unix

package backend

import (
	"errors"
	"syscall"
)

// ProcessDead reports whether no process has this ID. If we lack permission to find out, the process counts as alive.
func ProcessDead(pid int) bool {
	return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
