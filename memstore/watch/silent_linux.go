package watch

import "syscall"

// silentKinds are the file systems, by the magic number of statfs(2), on which
// inotify reports only what this machine does, not what others do. The
// overlay is not among them: changes below a mounted overlay are undefined by its
// rules, and inotify reports everything done through it.
var silentKinds = map[uint32]string{
	0x6969:     "NFS",
	0x517b:     "SMB",
	0xfe534d42: "SMB",
	0xff534d42: "CIFS",
	0x65735546: "FUSE", // sshfs, rclone, virtiofs and local ones: they can't be distinguished
	0x01021997: "9P",
	0x786f4256: "VirtualBox shared folder",
	0x00c36400: "Ceph",
	0x0bd00bd0: "Lustre",
	0x5346414f: "AFS",
	0x6b414653: "AFS",
	0x73757245: "Coda",
	0x01161970: "GFS2",
	0x7461636f: "OCFS2",
	0x47504653: "GPFS",
	0xaad7aaea: "PanFS",
	0x19830326: "BeeGFS",
}

// silentKind names the file system of path if it does not report all changes, else "".
func silentKind(path string) string {
	var st syscall.Statfs_t
	if err := syscall.Statfs(path, &st); err != nil {
		return ""
	}
	return silentKinds[uint32(st.Type)] // of another width on each machine
}
