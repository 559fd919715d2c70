//go:build linux && (amd64 || arm64)

package dir

import (
	"bytes"
	"os"
	"testing"
)

// FuzzDirEntries feeds records of a broken file system.
func FuzzDirEntries(f *testing.F) {
	record := append(make([]byte, 16), 24, 0, 8, 'a', '.', 'm', 'd', 0)
	f.Add(record)
	f.Add(record[:19])
	f.Add(bytes.Repeat(record, 3))
	f.Add(append(make([]byte, 16), 255, 255, 8, 'a'))
	f.Add(append(make([]byte, 16), 23, 0, 8, 'a', 'b', 'c', 'd'))
	dir, err := os.Open(f.TempDir())
	must(f, err)
	defer dir.Close()
	f.Fuzz(func(t *testing.T, records []byte) {
		_, _ = appendEntries(nil, dir, records)
	})
}
