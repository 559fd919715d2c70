package dir

import (
	"io/fs"
	"os"
	"syscall"
	"time"

	"memcurator/memstore/backend/quietfile"
)

// mountNoAccessTime is ST_NOATIME: reads don't update access times.
const mountNoAccessTime = 0x400

// accessTime is when a file was last read; known is false where the mount doesn't keep that.
func accessTime(root *os.Root, info fs.FileInfo) (at time.Time, known bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	folder, err := quietfile.OpenIn(root, ".", quietfile.Directory)
	if !ok || err != nil {
		return at, false
	}
	defer folder.Close()
	var mount syscall.Statfs_t
	err = syscall.Fstatfs(int(folder.Fd()), &mount)
	return time.Unix(st.Atim.Unix()), err == nil && mount.Flags&mountNoAccessTime == 0
}
