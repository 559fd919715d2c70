package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memcurator/memstore"
)

// BenchmarkLatency measures when an edit by another program reaches whoever follows the record (goal: 19 of 20 within 120 ms).
func BenchmarkLatency(b *testing.B) {
	f := follow(b, Options{}, "a.md", "d/x.md")
	var took []time.Duration
	for b.Loop() {
		start, had := time.Now(), len(f.changes)
		must(b, os.WriteFile(f.path("d/x.md"), fmt.Appendf(nil, "edit %d\n", had), 0o600))
		f.until("the edit", func() bool { return len(f.changes) > had })
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Milliseconds()), "median-ms")
	b.ReportMetric(float64(took[(len(took)*19-1)/20].Milliseconds()), "19-of-20-ms")
}

// TestNewFolders makes folders in folders with a file at once: what happens before the watches are set is seen.
func TestNewFolders(t *testing.T) {
	t.Parallel()
	f := follow(t, Options{}, "a.md")
	const times = 200
	for i := range times {
		must(t, os.MkdirAll(f.path(fmt.Sprintf("n%d/b/c", i)), 0o700))
		must(t, os.WriteFile(f.path(fmt.Sprintf("n%d/b/c/f.md", i)), []byte("x"), 0o600))
		time.Sleep(time.Duration(i%7) * 5 * time.Millisecond)
	}
	f.until("all of them", func() bool { return f.last.Snapshot.Root.Files == times+1 })
	f.check()
	for i := range times { // removed and back, with the same or another ID
		must(t, os.RemoveAll(f.path(fmt.Sprintf("n%d", i))))
		must(t, os.MkdirAll(f.path(fmt.Sprintf("n%d/b/c", i)), 0o700))
		time.Sleep(time.Duration(i%7) * 5 * time.Millisecond)
		must(t, os.WriteFile(f.path(fmt.Sprintf("n%d/b/c/f.md", i)), []byte("y"), 0o600))
	}
	f.check()
}

// TestBurst writes 50,000 files.
func TestBurst(t *testing.T) {
	const files = 50_000
	dir := t.TempDir()
	store, err := memstore.Open(dir, memstore.Options{})
	must(t, err)
	defer store.Close()
	w, err := Start(t.Context(), store, Options{})
	must(t, err)
	defer w.Close()
	for i := range files {
		sub := filepath.Join(dir, fmt.Sprintf("d%02d", i%20))
		if i < 20 {
			mkdir(t, sub)
		}
		must(t, os.WriteFile(filepath.Join(sub, fmt.Sprintf("f%05d.md", i)), []byte("x"), 0o600))
	}
	start := time.Now()
	for seen := 0; seen != files; {
		select {
		case u := <-w.Updates():
			seen = u.Snapshot.Root.Files
		case <-time.After(patience):
			t.Fatalf("%d of %d files are seen", seen, files)
		}
	}
	t.Logf("all seen after %v", time.Since(start))
}
