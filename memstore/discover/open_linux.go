package discover

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openQuietly opens a file for reading without a new access time. Only the owner of a file may ask for that. What waits for a writer, as
// a pipe does, isn't waited for.
func openQuietly(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOATIME, 0)
	if errors.Is(err, fs.ErrPermission) {
		return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	}
	return f, err
}
