//go:build unix

package journal

import (
	"errors"
	"syscall"
)

// isAlive reports whether a process of this number runs. Another one may have got the number
// since: then an intent of the dead one is taken for carried out and the comparison with the
// disk at the next start corrects it.
func isAlive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
