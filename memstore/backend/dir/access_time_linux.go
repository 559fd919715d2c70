package dir

import (
	"os"
	"syscall"
	"time"
)

// mountNoAccessTime is ST_NOATIME: reads don't update access times.
const mountNoAccessTime = 0x400

func statAccessTime(fi os.FileInfo) (time.Time, bool) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(st.Atim.Unix()), true
}

// keepsAccessTimes reports whether the mount of the directory updates access times.
func keepsAccessTimes(dir *os.File) bool {
	var st syscall.Statfs_t
	if err := syscall.Fstatfs(int(dir.Fd()), &st); err != nil {
		return false
	}
	return st.Flags&mountNoAccessTime == 0
}
