package dbfile

import "syscall"

const (
	nonblock = syscall.O_NONBLOCK
	quiet    = syscall.O_NOATIME | nonblock
)
