//go:build unix && !linux

package dir

import (
	"os"

	"memcurator/memstore/backend"
)

// quietFlag is empty: only Linux can open a file without updating its access time.
const quietFlag = 0

func infoOfOpen(f *os.File) (backend.Info, error) {
	fi, err := f.Stat()
	if err != nil {
		return backend.Info{}, err
	}
	return infoOf(fi), nil
}
