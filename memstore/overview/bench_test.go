package overview

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"memcurator/memstore/discover"
)

// large is the home of the issue: 200 stores of 50 notes each, among 10,000 project folders.
func large(b *testing.B) string {
	home, _ := home(b, 200, 50)
	text := make([]byte, 2000)
	for i := range text {
		text[i] = 'a' + byte(i%23)
		if i%60 == 59 {
			text[i] = '\n'
		}
	}
	for i := range 200 {
		file := filepath.Join(home, ".claude", "projects", fmt.Sprintf("-src-p%d", i), "memory", "MEMORY.md")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for i := range 10_000 {
		if err := os.MkdirAll(filepath.Join(home, "src", fmt.Sprintf("p%d", i)), 0o700); err != nil {
			b.Fatal(err)
		}
	}
	return home
}

func BenchmarkManyStores(b *testing.B) {
	home := large(b)
	reader := func() *Reader { return &Reader{Machine: discover.Local(home, nil), Opener: newPlain()} }
	b.Run("walk", func(b *testing.B) { // what find does: every name, size and time
		for b.Loop() {
			_ = filepath.WalkDir(filepath.Join(home, ".claude"), func(_ string, e fs.DirEntry, err error) error {
				if err == nil {
					_, err = e.Info()
				}
				return err
			})
		}
	})
	b.Run("first row", func(b *testing.B) {
		for b.Loop() {
			start, first := time.Now(), time.Duration(0)
			reader().Each(b.Context(), 0, func(Row) {
				if first == 0 {
					first = time.Since(start)
				}
			})
			b.ReportMetric(float64(first.Microseconds()), "µs/first")
		}
	})
	b.Run("rows", func(b *testing.B) {
		for b.Loop() {
			if n := len(reader().List(b.Context())); n != 200 {
				b.Fatal(n, " stores")
			}
		}
	})
	rows := reader().List(b.Context())
	b.Run("reading what is loaded", func(b *testing.B) {
		for b.Loop() {
			for _, r := range rows {
				if _, err := os.ReadFile(filepath.Join(r.Path, "MEMORY.md")); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	for _, c := range []struct {
		name  string
		parts Part
	}{{"load", LoadPart}, {"unread and due", LoadPart | UnreadPart | DuePart}, {"everything", Everything}} {
		b.Run(c.name, func(b *testing.B) {
			r := reader()
			for b.Loop() {
				r.Fill(b.Context(), rows, c.parts, func(int, Row) {})
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.Sys)/(1<<20), "MiB")
		})
	}
}
