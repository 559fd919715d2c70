package dir

import (
	"os"

	"memcurator/memstore/backend"
)

// Windows has no FIFO and no device below a directory that an open could wait for.
const (
	openFileFlags = 0
	openDirFlags  = 0
	quietFlag     = 0
)

// dirID tells a directory from the one that takes its place.
type dirID struct{ info os.FileInfo }

func identify(f *os.File) (dirID, error) {
	info, err := f.Stat()
	return dirID{info}, err
}

// isAt reports whether the directory is still at path, which ends in a NUL. The
// error says why nothing could be found there; it is nil when another directory is.
func (id dirID) isAt(path []byte) (bool, error) {
	now, err := os.Stat(string(path[:len(path)-1]))
	if err != nil {
		return false, err
	}
	return os.SameFile(id.info, now), nil
}

// mountLost is never true: a drive that goes takes its paths with it.
func (dirID) mountLost(dirID) bool { return false }

// fileID is not known here: os.FileInfo keeps the file's index to itself.
func fileID(os.FileInfo) backend.FileID { return backend.FileID{} }

// looksRegular knows nothing without opening; the caller asks the Root.
func looksRegular(*os.File, string) bool { return false }

func infoOfOpen(f *os.File) (backend.Info, error) {
	fi, err := f.Stat()
	if err != nil {
		return backend.Info{}, err
	}
	return infoOf(fi), nil
}

// keepOwner does nothing: the access list comes from the folder.
func keepOwner(*os.File, os.FileInfo) {}

// mayEmpty leaves the judgement to the system.
func mayEmpty(*os.File) error { return nil }
