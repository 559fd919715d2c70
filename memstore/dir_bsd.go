//go:build unix && !linux

package memstore

import "os"

// quietFlag is empty: only Linux can open a file without moving its access time.
const quietFlag = 0

func infoOfOpen(f *os.File) (Info, error) {
	fi, err := f.Stat()
	if err != nil {
		return Info{}, err
	}
	return infoOf(fi), nil
}
