//go:build unix

package findings

import (
	"io/fs"
	"syscall"
)

// linkOf returns the identity of a file and the number of its names.
func linkOf(info fs.FileInfo) (l link, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return l, false
	}
	return link{uint64(st.Dev), uint64(st.Ino), uint64(st.Nlink)}, true //nolint:unconvert // the sizes differ by system
}
