package statedir

import (
	"os"
	"syscall"
)

// fill reads the volume and file index of the directory at id.Path.
func (id *Identity) fill() error {
	f, err := os.Open(id.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	var info syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(syscall.Handle(f.Fd()), &info); err != nil {
		return err
	}
	id.Device = uint64(info.VolumeSerialNumber)
	id.Inode = uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)
	id.Born = info.CreationTime.Nanoseconds()
	return nil
}
