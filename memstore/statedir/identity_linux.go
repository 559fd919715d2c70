package statedir

import (
	"time"

	"golang.org/x/sys/unix"
)

// fill reads the device and inode of the directory at id.Path.
func (id *Identity) fill() error {
	var st unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, id.Path, 0, unix.STATX_INO|unix.STATX_BTIME, &st); err != nil {
		return err
	}
	id.Device, id.Inode = unix.Mkdev(st.Dev_major, st.Dev_minor), st.Ino
	if st.Mask&unix.STATX_BTIME != 0 {
		id.Born = time.Unix(st.Btime.Sec, int64(st.Btime.Nsec)).UnixNano()
	}
	return nil
}
