package dir

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore/backend"
)

// The benchmarks below use notes of 3.6 KB in 20 folders. By default they run in the
// system's folder for temporary files; MEMSTORE_BENCH_DIR names another file system.

func openBenchDir(b *testing.B) *Dir {
	b.Helper()
	base := b.TempDir()
	if dir := os.Getenv("MEMSTORE_BENCH_DIR"); dir != "" {
		var err error
		base, err = os.MkdirTemp(dir, "bench")
		must(b, err)
		b.Cleanup(func() { _ = os.RemoveAll(base) })
	}
	d, err := Open(base, Options{})
	must(b, err)
	b.Cleanup(func() { _ = d.Close() })
	for i := range 20 {
		must(b, os.Mkdir(filepath.Join(base, fmt.Sprintf("f%02d", i)), 0o700))
	}
	return d
}

var benchNote = bytes.Repeat([]byte("A line of a note that an agent wrote down.\n"), 84)

func benchName(i int) string { return fmt.Sprintf("f%02d/note-%d.md", i%20, i) }

// locked runs one operation as the handlers do: under the lock.
func locked(b *testing.B, d *Dir, do func() error) {
	b.Helper()
	unlock, err := d.Lock(b.Context())
	must(b, err)
	err = do()
	unlock()
	must(b, err)
}

func BenchmarkDirCreate(b *testing.B) {
	d := openBenchDir(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		locked(b, d, func() error { return d.Create(benchName(i), benchNote) })
	}
}

func BenchmarkDirReplace(b *testing.B) {
	d := openBenchDir(b)
	for i := range 100 {
		must(b, d.Create(benchName(i), benchNote))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		locked(b, d, func() error { return d.Replace(benchName(i%100), benchNote, benchNote) })
	}
}

func BenchmarkDirRename(b *testing.B) {
	d := openBenchDir(b)
	must(b, d.Create(benchName(0), benchNote))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		locked(b, d, func() error { return d.Rename(benchName(i), benchName(i+1)) })
	}
}

func BenchmarkDirRemove(b *testing.B) {
	d := openBenchDir(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		must(b, os.WriteFile(onDisk(d, benchName(i)), benchNote, 0o600))
		b.StartTimer()
		locked(b, d, func() error { return d.Remove(benchName(i)) })
	}
}

func BenchmarkDirLock(b *testing.B) {
	d := openBenchDir(b)
	b.ReportAllocs()
	for b.Loop() {
		locked(b, d, func() error { return nil })
	}
}

func BenchmarkDirOpen(b *testing.B) {
	d := openBenchDir(b)
	must(b, d.Create("top.md", benchNote))
	must(b, d.Create("f01/note.md", benchNote))
	must(b, os.Symlink(onDisk(d, "f01/note.md"), onDisk(d, "absolute.md")))
	for _, name := range []string{"top.md", "f01/note.md", "absolute.md"} {
		b.Run(filepath.Base(name), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f, err := d.Open(name, backend.Use)
				if err == nil {
					_, err = f.Info()
				}
				must(b, err)
				_ = f.Close()
			}
		})
	}
}

// BenchmarkDirReadDir lists a folder of 100 files, as in a store of 100,000 files in 1,000 folders.
func BenchmarkDirReadDir(b *testing.B) {
	d := openBenchDir(b)
	for i := range 100 {
		must(b, os.WriteFile(onDisk(d, fmt.Sprintf("f00/note-%03d.md", i)), nil, 0o600))
	}
	b.ReportAllocs()
	for b.Loop() {
		list, err := d.ReadDir("f00")
		if err != nil || len(list) != 100 {
			b.Fatal(len(list), err)
		}
	}
}
