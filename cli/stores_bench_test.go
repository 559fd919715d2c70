package cli

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/cli/session"
	"memcurator/memstore/memtest"
	"memcurator/memstore/overview"
)

// manyStores is a home with 200 stores of 50 notes and 10,000 project folders, each store with an index.
func manyStores(b *testing.B) (home string) {
	home, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Chdir(b.TempDir()) // around the package are the files of whoever runs this
	h := memtest.AgentHome{Home: home}
	if err := h.WriteProjects(10_000, 200, 50); err != nil {
		b.Fatal(err)
	}
	indexes, err := filepath.Glob(filepath.Join(home, ".claude", "projects", "*", "memory"))
	if err != nil || len(indexes) != 200 {
		b.Fatal(len(indexes), " stores: ", err)
	}
	var text strings.Builder
	for i := range 50 {
		fmt.Fprintf(&text, "- [Note %d](note-%02d.md): when the ferry leaves\n", i, i)
	}
	for _, dir := range indexes {
		if err := os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte(text.String()), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return home
}

// BenchmarkManyStores times the overview as "stores" and the interface read it: the first row, all rows and a walk with sizes and times,
// what sessions load and reading those files, and what fills in behind. What has a peer takes turns with it; reported are medians.
func BenchmarkManyStores(b *testing.B) {
	home := manyStores(b)
	for _, c := range []struct{ name, config string }{{"plain", ""}, {"limited", "[[rule]]\nmatch = [\"MEMORY.md\"]\nload_tokens = 4000\n"}} {
		b.Run(c.name, func(b *testing.B) { readManyStores(b, home, c.config) })
	}
}

func readManyStores(b *testing.B, home, config string) {
	file := filepath.Join(b.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		b.Fatal(err)
	}
	env := map[string]string{"HOME": home, "MEMCURATOR_CONFIG": file, "MEMCURATOR_STATE": b.TempDir()}
	run := session.New(session.Environment{Stdout: io.Discard, Stderr: io.Discard, Getenv: func(n string) string { return env[n] }})
	reader := func() *overview.Reader {
		s, err := run.Settings()
		if err != nil {
			b.Fatal(err)
		}
		return run.Overview(s)
	}
	rows := reader().List(b.Context())
	if len(rows) != 200 {
		b.Fatal(len(rows), " stores")
	}
	b.Run("rows", func(b *testing.B) {
		var first, all, walk []float64
		for b.Loop() {
			walk = append(walk, milliseconds(func() {
				_ = filepath.WalkDir(home, func(_ string, e fs.DirEntry, err error) error {
					if err == nil {
						_, err = e.Info()
					}
					return err
				})
			}))
			begin, seen := time.Now(), false
			all = append(all, milliseconds(func() {
				reader().Each(b.Context(), 0, func(overview.Row) {
					if !seen {
						seen = true
						first = append(first, float64(time.Since(begin).Microseconds())/1000)
					}
				})
			}))
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(middle(first), "ms-first")
		b.ReportMetric(slices.Max(first), "ms-first-max")
		b.ReportMetric(middle(all), "ms")
		b.ReportMetric(middle(ratios(all, walk)), "x-walk")
	})
	b.Run("load", func(b *testing.B) {
		r := reader()
		var ours, reading []float64
		for b.Loop() {
			reading = append(reading, milliseconds(func() {
				for _, row := range rows {
					if _, err := os.ReadFile(filepath.Join(row.Path, "MEMORY.md")); err != nil {
						b.Fatal(err)
					}
				}
			}))
			ours = append(ours, milliseconds(func() { r.Fill(b.Context(), rows, overview.LoadPart, func(int, overview.Row) {}) }))
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(middle(ours), "ms")
		b.ReportMetric(middle(reading), "ms-read")
		b.ReportMetric(middle(ratios(ours, reading)), "x-read")
	})
	b.Run("everything", func(b *testing.B) {
		r := reader()
		for b.Loop() {
			r.Fill(b.Context(), rows, overview.Everything, func(int, overview.Row) {})
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.Sys)/(1<<20), "MiB")
	})
}

func milliseconds(do func()) float64 {
	begin := time.Now()
	do()
	return float64(time.Since(begin).Microseconds()) / 1000
}

// ratios are those of each round.
func ratios(ours, theirs []float64) []float64 {
	list := make([]float64, len(ours))
	for i := range ours {
		list[i] = ours[i] / theirs[i]
	}
	return list
}

// middle is the median.
func middle[T cmp.Ordered](list []T) T { return slices.Sorted(slices.Values(list))[len(list)/2] }
