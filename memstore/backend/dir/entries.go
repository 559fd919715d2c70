//go:build !(linux && (amd64 || arm64))

package dir

import (
	"os"

	"memcurator/memstore/backend"
)

// readEntries describes all entries of the open directory f, except those
// that vanish before it reaches them.
func readEntries(f *os.File) ([]backend.Info, error) {
	list, err := f.Readdir(-1)
	if err != nil {
		return nil, err
	}
	entries := make([]backend.Info, len(list))
	for i, fi := range list {
		entries[i] = infoOf(fi)
	}
	return entries, nil
}
