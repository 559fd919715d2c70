//go:build unix

package memtest

import (
	"io/fs"
	"os"
	"syscall"
)

// special are the paths that must be shown and never opened: opening the FIFO
// for reading waits for a writer that never comes.
func (w *hostileWriter) special() {
	for _, s := range []struct {
		path, what string
		kind       fs.FileMode
		make       func(disk string) error
	}{
		{"pipe", "a FIFO", fs.ModeNamedPipe, func(disk string) error { return syscall.Mkfifo(disk, 0o600) }},
		{"work/pipe.md", "a FIFO named like a note", fs.ModeNamedPipe, func(disk string) error { return syscall.Mkfifo(disk, 0o600) }},
		// Without a listener, made as a node: paths of sockets are limited to about
		// 100 bytes otherwise.
		{"socket", "a socket", fs.ModeSocket, func(disk string) error { return makeNode(disk, syscall.S_IFSOCK|0o600) }},
	} {
		w.add(Item{Path: s.path, What: s.what, Type: s.kind}, s.make)
	}
	w.add(Item{Path: "link-device", What: "a link to a device", Type: fs.ModeSymlink}, func(disk string) error { return os.Symlink(os.DevNull, disk) })
}

func seal(disk string) error { return os.Chmod(disk, 0) }
