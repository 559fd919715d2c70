//go:build !unix

package journal

import "os"

// isAlive reports whether a process of this number runs.
func isAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
