//go:build unix

package memtest

import "syscall"

func makeFIFO(disk string) error { return syscall.Mkfifo(disk, 0o600) }
