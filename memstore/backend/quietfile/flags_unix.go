//go:build unix

package quietfile

import "syscall"

// Flags of an open.
const (
	// NoWait neither waits for the writer of a pipe nor makes a terminal that of this process; it also saves os.File four system calls.
	NoWait = syscall.O_NONBLOCK | syscall.O_NOCTTY
	// Directory opens directories only.
	Directory = syscall.O_DIRECTORY
)
