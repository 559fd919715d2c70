//go:build unix && !linux

package dir

import (
	"os"

	"memcurator/memstore/backend"
)

func infoOfOpen(f *os.File) (backend.Info, error) {
	fi, err := f.Stat()
	if err != nil {
		return backend.Info{}, err
	}
	return infoOf(fi), nil
}
