package memtest

import "syscall"

func makeNode(disk string, mode uint32) error { return syscall.Mknod(disk, mode, 0) }
