package memstore

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/backend"
)

// scanStore opens a new directory with the given files; a name that ends in "/" is a folder.
func scanStore(t testing.TB, workers int, files ...string) (*Store, string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		var err error
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(path, 0o700)
		} else {
			err = os.WriteFile(path, []byte(name), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(dir, Options{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, dir
}

func scanPaths(s *backend.Snapshot) string {
	var b strings.Builder
	s.Walk(func(path string, n *backend.Node) bool {
		fmt.Fprintf(&b, "%s %d/%d hidden=%v\n", strings.TrimPrefix(path, backend.Root), n.Files, n.Bytes, n.Hidden)
		return true
	})
	return b.String()
}

func TestScan(t *testing.T) {
	const want = ` 5/30 hidden=false
/.dot 1/6 hidden=true
/.dot/x 1/6 hidden=true
/a 1/1 hidden=false
/d 2/13 hidden=false
/d/e 1/5 hidden=false
/d/e/f 1/5 hidden=false
/d/g.md.x 1/8 hidden=false
/empty 0/0 hidden=false
/node_modules 1/10 hidden=true
/node_modules/k 1/10 hidden=true
`
	files := []string{"a", "d/e/f", "d/g.md.x", "empty/", ".dot/x", "node_modules/k"}
	for _, workers := range []int{0, 1, 2, 8} {
		s, dir := scanStore(t, workers, files...)
		if err := os.WriteFile(filepath.Join(dir, ".tmp-12-abc"), []byte("a write under way"), 0o600); err != nil {
			t.Fatal(err)
		}
		var reports []*backend.Snapshot
		got, err := s.Scan(context.Background(), func(s *backend.Snapshot) { reports = append(reports, s) })
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Replace(want, "/node_modules/k 1/10", fmt.Sprintf("/node_modules/k 1/%d", len("node_modules/k")), 1)
		want = strings.Replace(want, "/node_modules 1/10", fmt.Sprintf("/node_modules 1/%d", len("node_modules/k")), 1)
		want = strings.Replace(want, " 5/30", fmt.Sprintf(" 5/%d", len("a"+"d/e/f"+"d/g.md.x"+".dot/x"+"node_modules/k")), 1)
		if scanPaths(got) != want || !got.Complete {
			t.Errorf("%d workers: complete %v\n%s\nwant\n%s", workers, got.Complete, scanPaths(got), want)
		}
		if len(reports) < 2 || reports[0].Complete || len(reports[0].Root.Children) != 5 || reports[0].Find("/memories/d/e") != nil {
			t.Errorf("the first report is the root's own entries:\n%s", scanPaths(reports[0]))
		}
		if reports[len(reports)-1] != got {
			t.Error("the last report is the result")
		}
	}
}

func TestScanDoesNotFollowLinks(t *testing.T) {
	s, dir := scanStore(t, 2, "d/x")
	if err := os.Symlink("..", filepath.Join(dir, "d", "loop")); err != nil {
		t.Skip("this system makes no links:", err)
	}
	got, err := s.Scan(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := got.Find("/memories/d/loop"); n == nil || n.Kind != backend.KindLink || len(n.Children) > 0 || got.Root.Files != 2 {
		t.Errorf("%+v", n)
	}
}

// bigTree makes folders with files in a place that is removed after the benchmark.
func bigTree(b *testing.B, folders, files int) string {
	b.Helper()
	dir := b.TempDir()
	for i := range folders {
		sub := filepath.Join(dir, fmt.Sprintf("folder-%05d", i))
		if err := os.Mkdir(sub, 0o700); err != nil {
			b.Fatal(err)
		}
		for j := range files {
			if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("note-%05d.md", j)), []byte("x"), 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	return dir
}

// BenchmarkScan indexes 100,000 files in 1,000 folders, turn about with find
// (goal 6: at most twice its time).
func BenchmarkScan(b *testing.B) {
	dir := bigTree(b, 1000, 100)
	s, err := Open(dir, Options{Workers: runtime.NumCPU()})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	find, missing := exec.LookPath("find")
	if missing != nil {
		b.Log("find is not installed: no comparison")
	}
	var ours, theirs time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		snapshot, err := s.Scan(context.Background(), func(*backend.Snapshot) {})
		ours += time.Since(start)
		if err != nil || snapshot.Root.Files != 100_000 {
			b.Fatal(err)
		}
		if missing == nil {
			start = time.Now()
			if err := exec.Command(find, dir, "-printf", "%s %T@ %p\n").Run(); err != nil {
				missing = err
				b.Log("this find has no -printf: no comparison")
			}
			theirs += time.Since(start)
		}
	}
	b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "scan-ms")
	if missing == nil {
		b.ReportMetric(float64(theirs.Milliseconds())/float64(b.N), "find-ms")
		b.ReportMetric(float64(ours)/float64(theirs), "x-find")
	}
}
