//go:build unix

package graph

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
	"memcurator/memstore/memtest"
)

const many = 50_000

// BenchmarkFirstLook opens a memory of 50,000 entities with as many relations and lists it; beside it, a directory of as many files.
func BenchmarkFirstLook(b *testing.B) {
	b.Run("graph", func(b *testing.B) {
		file := filepath.Join(b.TempDir(), "memory.jsonl")
		writeMany(b, file)
		memtest.FirstLook(b, func() (backend.Backend, error) { return adapt.Open(Adapter, file) })
	})
	b.Run("directory", func(b *testing.B) {
		root := b.TempDir()
		for i := range many {
			folder := filepath.Join(root, "t"+strconv.Itoa(i%200))
			if err := os.MkdirAll(folder, 0o700); err != nil {
				b.Fatal(err)
			}
			n := strconv.Itoa(i)
			if err := os.WriteFile(filepath.Join(folder, "Entity "+n+".md"), []byte("# Entity "+n+"\n\n- "+n+"\n"), 0o600); err != nil {
				b.Fatal(err)
			}
		}
		memtest.FirstLook(b, func() (backend.Backend, error) { return dir.Open(root, dir.Options{}) })
	})
}

func writeMany(b *testing.B, file string) {
	var text strings.Builder
	for i := range many {
		n := strconv.Itoa(i)
		text.WriteString(`{"type":"entity","name":"Entity ` + n + `","entityType":"t` + strconv.Itoa(i%200) + `","observations":["` + n + `"]}` + "\n")
	}
	for i := range many {
		to := strconv.Itoa(i * 7 % many)
		text.WriteString(`{"type":"relation","from":"Entity ` + strconv.Itoa(i) + `","to":"Entity ` + to + `","relationType":"r"}` + "\n")
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	old := time.Now().Add(-time.Hour) // a file that changed a moment ago is read twice
	if err := os.Chtimes(file, old, old); err != nil {
		b.Fatal(err)
	}
}
