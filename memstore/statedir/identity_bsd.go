//go:build darwin || freebsd || netbsd

package statedir

import (
	"syscall"
)

// fill reads the device and inode of the directory at id.Path.
func (id *Identity) fill() error {
	var st syscall.Stat_t
	if err := syscall.Stat(id.Path, &st); err != nil {
		return err
	}
	id.Device, id.Inode, id.Born = uint64(st.Dev), uint64(st.Ino), syscall.TimespecToNsec(st.Birthtimespec)
	return nil
}
