package age

import (
	"encoding/json"
	"errors"
	"fmt"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// HeaderName is the name of the header file of a store.
const HeaderName = backend.SealedHeader

const (
	headerFormat  = "memcurator encrypted store"
	headerVersion = 1
	maxHeader     = 64 << 10 // bytes; ours have a few hundred
)

// header is the one file of a store that is not encrypted.
type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	// Mark is derived from the identity. It detects a wrong identity without revealing anything about it.
	Mark string `json:"mark"`
}

func newHeader(k *keys) header {
	return header{Format: headerFormat, Version: headerVersion, Mark: k.mark}
}

func (h header) encode() ([]byte, error) {
	data, err := json.MarshalIndent(h, "", "  ")
	return append(data, '\n'), err
}

// parseHeader reads a header from arbitrary bytes.
func parseHeader(data []byte) (header, error) {
	var h header
	if err := json.Unmarshal(data, &h); err != nil || h.Format != headerFormat {
		return header{}, fmt.Errorf("%w: its header %s cannot be read", ErrNoStore, HeaderName)
	}
	if h.Version != headerVersion {
		return header{}, fmt.Errorf("%w: it has version %d, this program reads version %d", ErrNoStore, h.Version, headerVersion)
	}
	return h, nil
}

// readHeader reads the header on disk.
func readHeader(disk *dir.Dir) (header, error) {
	data, err := backend.ReadFile(disk, HeaderName, backend.Look, maxHeader)
	switch {
	case errors.Is(err, backend.ErrNotExist):
		return header{}, fmt.Errorf("%w: it has no header %s", ErrNoStore, HeaderName)
	case err != nil:
		return header{}, err
	}
	return parseHeader(data)
}
