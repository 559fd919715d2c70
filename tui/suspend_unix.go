//go:build unix

package tui

import "golang.org/x/sys/unix"

// inShell reports whether a shell with job control started this process: it gives each job a process group of its own. The group of the
// session leader has nobody who would continue it.
func inShell() bool {
	session, err := unix.Getsid(0)
	return err == nil && session != unix.Getpgrp()
}
