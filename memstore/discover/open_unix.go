//go:build unix && !linux

package discover

import (
	"os"
	"syscall"
)

// openQuietly opens a file for reading; only Linux can be asked to keep the access time. What waits for a writer, as a pipe does, isn't
// waited for.
func openQuietly(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
