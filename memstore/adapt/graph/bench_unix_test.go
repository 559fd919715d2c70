//go:build unix

package graph

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

const many = 50_000

// BenchmarkFirstLook opens a memory of 50,000 entities with as many relations and lists it; beside it, a directory of as many files.
func BenchmarkFirstLook(b *testing.B) {
	b.Run("graph", func(b *testing.B) {
		file := filepath.Join(b.TempDir(), "memory.jsonl")
		writeMany(b, file)
		look(b, func() (backend.Backend, error) { return adapt.Open(Adapter, file) })
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
		look(b, func() (backend.Backend, error) { return dir.Open(root, dir.Options{}) })
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

// look opens a store and lists it, as a screen does first, and reports the processor's time: that of the clock is also others'.
func look(b *testing.B, open func() (backend.Backend, error)) {
	was := processor()
	for b.Loop() {
		s, err := open()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := backend.Scan(b.Context(), s, 2, backend.ScanOptions{}); err != nil {
			b.Fatal(err)
		}
		_ = s.Close() // it was only read
	}
	b.ReportMetric((processor()-was).Seconds()/float64(b.N), "cpu-s/op")
}

func processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
