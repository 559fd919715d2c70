//go:build linux || darwin

package journal

import "syscall"

// freeSpace is how many bytes this user may still write on the device of a folder.
func freeSpace(dir string) (bytes int64, known bool) {
	var st syscall.Statfs_t
	if syscall.Statfs(dir, &st) != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}
