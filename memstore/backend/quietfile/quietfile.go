// Package quietfile opens files to look at them, which leaves no trace and doesn't wait: the time of the last access stays, and a pipe
// without a writer opens at once. Only Linux can be asked to leave the time, and only for files of one's own. What was opened may still be
// a pipe or a device: whoever reads from it asks first.
package quietfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Open opens the file or folder at a path. A flag may be Directory, or 0.
func Open(path string, flag int) (*os.File, error) {
	return open(os.OpenFile, path, flag)
}

// OpenIn opens a file or folder in a root. A flag may be Directory, or 0: a root follows links as it does by itself.
func OpenIn(root *os.Root, name string, flag int) (*os.File, error) {
	return open(root.OpenFile, name, flag)
}

func open(openFile func(string, int, fs.FileMode) (*os.File, error), name string, flag int) (*os.File, error) {
	flag |= os.O_RDONLY | NoWait
	f, err := openFile(name, flag|leaveTime, 0)
	if leaveTime != 0 && errors.Is(err, syscall.EPERM) {
		return openFile(name, flag, 0) // only its owner may leave the time
	}
	return f, err
}
