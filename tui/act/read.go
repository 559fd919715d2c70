package act

import (
	"memcurator/memstore"
	"memcurator/tui/kit"
)

// ReadLimit bounds the file read for a diff in a box, in bytes.
const ReadLimit = 1 << 20

const textTooLarge = "The file is now too large to compare here"

// ReadSmall reads the current file at a path, or returns why it can't.
func ReadSmall(store *memstore.Store, path string) ([]byte, string) {
	name, err := memstore.ParsePath(path)
	if err != nil {
		return nil, TextBadPath
	}
	f, err := store.Backend().Open(name, memstore.Look)
	if err != nil {
		return nil, kit.TextFileGone
	}
	defer f.Close() // opened for reading, so closing it cannot lose anything
	info, err := f.Info()
	if err != nil || info.Size > ReadLimit {
		return nil, textTooLarge
	}
	data := make([]byte, info.Size)
	n, _ := f.ReadAt(data, 0)
	return data[:n], ""
}

// TextBadPath refuses an invalid path.
const TextBadPath = "Can't use this path"
