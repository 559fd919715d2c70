package memstore

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memcurator/memstore/backend"
)

// bigText is the largest file that a view shows: 999,999 rows, 56 MB.
func bigText() []byte {
	var b bytes.Buffer
	for i := range maxRows - 1 {
		fmt.Fprintf(&b, "line %06d: the quick brown fox jumps over the lazy dog\n", i+1)
	}
	return b.Bytes()
}

func benchStore(b *testing.B, o Options) *Store {
	b.Helper()
	s, err := Open(b.TempDir(), o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

func onBackends(b *testing.B, run func(b *testing.B, s *Store)) {
	b.Run("dir", func(b *testing.B) { run(b, benchStore(b, Options{})) })
	b.Run("memory", func(b *testing.B) { run(b, New(NewMemory(), Options{})) })
}

// Goal: about 1.5 GB/s, and at most 8 allocations whatever the number of lines.
func BenchmarkViewBig(b *testing.B) {
	text := bigText()
	onBackends(b, func(b *testing.B, s *Store) {
		if err := s.Backend().Create("big", text); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if r := s.View(context.Background(), "/memories/big", nil); r.IsError {
				b.Fatal(r.Content)
			}
		}
	})
}

// Goal: a few megabytes of memory, whatever the size of the file.
func BenchmarkViewToBig(b *testing.B) {
	text := bigText()
	onBackends(b, func(b *testing.B, s *Store) {
		if err := s.Backend().Create("big", text); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if err := s.ViewTo(context.Background(), io.Discard, Command{Name: CmdView, Path: "/memories/big"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A note of 3.6 KB, as agents write them.
var note = strings.Repeat("- a remembered line of some length, as notes have\n", 73)

// Each of the commands on small notes; the journal and guards are off. For the
// code alone run it with TMPDIR on a file system in memory.
func BenchmarkCommands(b *testing.B) {
	ctx := context.Background()
	check := func(b *testing.B, r Result) {
		if r.IsError {
			b.Fatal(r.Content)
		}
	}
	path := func(i int) string { return fmt.Sprintf("/memories/f%02d/note-%d.md", i%20, i) }
	onBackends(b, func(b *testing.B, s *Store) {
		n := 0
		b.Run("create", func(b *testing.B) {
			for b.Loop() {
				check(b, s.Create(ctx, path(n), note))
				n++
			}
		})
		check(b, s.Create(ctx, "/memories/n.md", note))
		b.Run("view", func(b *testing.B) {
			for b.Loop() {
				check(b, s.View(ctx, "/memories/n.md", nil))
			}
		})
		b.Run("str_replace", func(b *testing.B) {
			check(b, s.Insert(ctx, "/memories/n.md", 0, "state: 0"))
			i := 0
			for b.Loop() {
				check(b, s.StrReplace(ctx, "/memories/n.md", fmt.Sprint("state: ", i), fmt.Sprint("state: ", i+1)))
				i++
			}
		})
		b.Run("insert", func(b *testing.B) {
			for b.Loop() {
				check(b, s.Insert(ctx, "/memories/n.md", 3, ""))
			}
		})
		b.Run("rename", func(b *testing.B) {
			from, to := "/memories/n.md", "/memories/m.md"
			for b.Loop() {
				check(b, s.Rename(ctx, from, to))
				from, to = to, from
			}
		})
		b.Run("delete", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				check(b, s.Create(ctx, "/memories/gone.md", note))
				b.StartTimer()
				check(b, s.Delete(ctx, "/memories/gone.md"))
			}
		})
	})
}

// The listing of 100,000 files in 1,000 folders.
func BenchmarkListing(b *testing.B) {
	for _, workers := range []int{1, runtime.NumCPU(), 4 * runtime.NumCPU()} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			s := benchStore(b, Options{Workers: workers})
			disk := s.Backend().(*Dir).Path()
			for d := range 1000 {
				dir := filepath.Join(disk, fmt.Sprintf("folder-%04d", d))
				if err := os.Mkdir(dir, 0o700); err != nil {
					b.Fatal(err)
				}
				for f := range 100 {
					if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("note-%03d.md", f)), nil, 0o600); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if r := s.View(context.Background(), backend.Root, nil); r.IsError {
					b.Fatal(r.Content)
				}
			}
		})
	}
}

// The allocations of a view do not grow with the file.
func TestViewAllocations(t *testing.T) {
	s, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for lines, name := range map[int]string{10: "small", 200_000: "large"} {
		if err := s.Backend().Create(name, bytes.Repeat([]byte("a line of text\n"), lines)); err != nil {
			t.Fatal(err)
		}
		path := backend.AgentPath(name)
		// The smallest of several: the count takes in the whole process, also the
		// collector's work on what other tests have left.
		got := math.Inf(1)
		for range 5 {
			got = min(got, testing.AllocsPerRun(5, func() { s.View(context.Background(), path, nil) }))
		}
		if limit := 8.0; got > limit {
			t.Errorf("view of %d lines: %v allocations, want at most %v", lines, got, limit)
		}
	}
}
