package dir

import (
	"os"

	"memcurator/memstore/backend"
)

// dirID identifies a directory, to notice when it is replaced.
type dirID struct{ info os.FileInfo }

func identify(f *os.File) (dirID, error) {
	info, err := f.Stat()
	return dirID{info}, err
}

// isAt reports whether the directory is still at path, which ends in a NUL.
// If nothing is there, the error says why; if another directory is, it is
// nil.
func (id dirID) isAt(path []byte) (bool, error) {
	now, err := os.Stat(string(path[:len(path)-1]))
	if err != nil {
		return false, err
	}
	return os.SameFile(id.info, now), nil
}

// mountLost is always false: a drive that vanishes takes its paths along.
func (dirID) mountLost(dirID) bool { return false }

// FileID is the identity of a file: unknown here, since os.FileInfo doesn't export the file's index.
func FileID(os.FileInfo) backend.FileID { return backend.FileID{} }

// looksRegular can't tell without opening the file; the caller asks the Root.
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

// mayEmpty leaves the decision to the system.
func mayEmpty(*os.File) error { return nil }

// isRegularAt is false: without a flag that refuses links, files are opened in the open directory only.
func isRegularAt(string) bool { return false }
