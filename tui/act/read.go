package act

import (
	"errors"
	"fmt"

	"memcurator/memstore"
	"memcurator/tui/kit"
)

// ReadLimit bounds the file read for a diff in a box, in bytes.
const ReadLimit = 1 << 20

// Read reads a whole file of so many bytes at most, or returns why it can't, as a sentence. It does I/O.
func Read(store *memstore.Store, path string, most int64) (data []byte, why string) {
	name, err := memstore.ParsePath(path)
	if err != nil {
		return nil, TextBadPath
	}
	data, err = memstore.ReadFile(store.Backend(), name, memstore.Look, most)
	switch {
	case errors.Is(err, memstore.ErrTooBig):
		return nil, fmt.Sprintf("File over %d MiB: too large to open here", most>>20)
	case errors.Is(err, memstore.ErrPermission):
		return nil, "Can't read the file: permission denied"
	case err != nil:
		return nil, kit.TextFileGone
	}
	return data, ""
}

// AgentPath is the agent path for a typed one, which may be below the root: "notes/a.md". An invalid one stays unchanged.
func AgentPath(path string) string {
	if path != "" && path[0] != '/' {
		path = memstore.AgentPath(path)
	}
	if name, err := memstore.ParsePath(path); err == nil {
		return memstore.AgentPath(name)
	}
	return path
}

// TextBadPath refuses an invalid path.
const TextBadPath = "Can't use this path"
