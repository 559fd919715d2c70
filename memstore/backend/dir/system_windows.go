package dir

import (
	"io/fs"
	"os"
	"syscall"

	"memcurator/memstore/backend"
)

// Windows errors that the package syscall has no portable name for.
const (
	errorInvalidFunction syscall.Errno = 1
	errorSharing         syscall.Errno = 32
	errorHandleDiskFull  syscall.Errno = 39
	errorNotSupported    syscall.Errno = 50
	errorDiskFull        syscall.Errno = 112
	errorInvalidName     syscall.Errno = 123
	errorTooLong         syscall.Errno = 206
	errorDirectoryName   syscall.Errno = 267
	errorTooManyLinks    syscall.Errno = 1142
)

// fileID is unknown here, since fs.FileInfo doesn't export the file's index.
func fileID(fs.FileInfo) backend.FileID { return backend.FileID{} }

// keepOwner does nothing: the access list comes from the folder.
func keepOwner(*os.File, fs.FileInfo) {}

// Writable doesn't read the access list: a write that it forbids says so.
func (d *Dir) Writable() bool { return true }

func platformErrno(errno syscall.Errno) (error, bool) {
	switch errno {
	case errorDiskFull, errorHandleDiskFull:
		return backend.ErrNoSpace, true
	case errorTooLong:
		return backend.ErrNameTooLong, true
	case errorInvalidName:
		return backend.ErrNotExist, true
	case errorDirectoryName:
		return backend.ErrNotDir, true
	case errorSharing:
		return backend.ErrPermission, true
	}
	return nil, false
}

// linksMissing reports whether a hard link failed because the file system (FAT) has none.
func linksMissing(errno syscall.Errno) bool {
	switch errno {
	case errorInvalidFunction, errorNotSupported, errorTooManyLinks:
		return true
	}
	return false
}
