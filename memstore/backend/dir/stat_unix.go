//go:build unix && !(linux && (amd64 || arm64))

package dir

import (
	"os"
	"syscall"
)

// statPath is stat(2). The path ends in a NUL.
func statPath(path []byte, st *syscall.Stat_t) error {
	return syscall.Stat(string(path[:len(path)-1]), st)
}

// looksRegular has nothing cheaper to offer than what the caller does next: ask the Root.
func looksRegular(*os.File, string) bool { return false }
