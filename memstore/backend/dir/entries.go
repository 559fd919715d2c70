//go:build !(linux && (amd64 || arm64))

package dir

import (
	"os"

	"memcurator/memstore/backend"
)

// readEntries describes everything in the open directory f. What vanishes
// between the reading of the names and the look at one of them is left out.
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
