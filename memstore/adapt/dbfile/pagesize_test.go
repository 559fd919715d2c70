package dbfile

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The size of a page says how bytes are cut: one that no database has is refused, also beside a log that agrees.
func TestPageSizes(t *testing.T) {
	t.Parallel()
	for _, size := range []uint16{0, 8, 100, 513} {
		data := make([]byte, 4096)
		copy(data, magic)
		binary.BigEndian.PutUint16(data[pageSizeAt:], size)
		data[readVersion] = withLog
		log := make([]byte, logHeaderSize+frameHeadSize+int(size))
		binary.BigEndian.PutUint32(log, logMagic)
		binary.BigEndian.PutUint32(log[logPageSizeAt:], uint32(size))
		path := filepath.Join(t.TempDir(), "a.db")
		if err := errors.Join(os.WriteFile(path, data, 0o600), os.WriteFile(path+walSuffix, log, 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(t.Context(), path); !errors.Is(err, ErrNotDatabase) {
			t.Errorf("%d: %v", size, err)
		}
		if _, err := Of(data); !errors.Is(err, ErrNotDatabase) {
			t.Errorf("%d: %v", size, err)
		}
	}
}
