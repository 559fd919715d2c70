package memstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
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

// failingDirs is a backend whose folders fail as told.
type failingDirs struct {
	backend.Backend
	fails map[string]error
}

func (f *failingDirs) ReadDir(name string) ([]backend.Info, error) {
	if err := f.fails[name]; err != nil {
		return nil, err
	}
	return f.Backend.ReadDir(name)
}

func TestScanProblems(t *testing.T) {
	s, _ := scanStore(t, 2, "d/x", "e/y", "gone/z")
	f := &failingDirs{s.Backend(), map[string]error{"d": backend.ErrPermission, "gone": backend.ErrNotExist}}
	got, err := New(f, Options{Workers: 2}).Scan(context.Background(), nil)
	if err != nil || !got.Complete {
		t.Fatal(err)
	}
	if n := got.Find("/memories/d"); n == nil || !errors.Is(n.Problem, backend.ErrPermission) {
		t.Errorf("the unreadable folder says so: %+v", n)
	}
	if got.Find("/memories/gone") != nil || got.Find("/memories/e/y") == nil {
		t.Errorf("the rest goes on:\n%s", scanPaths(got))
	}
	for name, cause := range map[string]error{".": backend.ErrPermission, "e": backend.ErrUnavailable} {
		f.fails = map[string]error{name: cause}
		for _, workers := range []int{1, 3} {
			if _, err := New(f, Options{Workers: workers}).Scan(context.Background(), nil); !errors.Is(err, backend.ErrUnavailable) ||
				!errors.Is(err, cause) {
				t.Errorf("%s fails with %v: %v", name, cause, err)
			}
		}
	}
}

func TestScanEndsWithItsContext(t *testing.T) {
	s, _ := scanStore(t, 4, "a/b/c/d/e/f", "g/h/i/j")
	ctx, cancel := context.WithCancel(context.Background())
	var seen atomic.Int32
	got, err := s.ScanFrom(ctx, backend.ScanOptions{Visit: func(string, backend.Info) {
		if seen.Add(1) == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || got.Complete {
		t.Errorf("%v, complete %v", err, got.Complete)
	}
}

func TestScanFrom(t *testing.T) {
	s, _ := scanStore(t, 2, ".x/d/f", "other")
	got, err := s.ScanFrom(context.Background(), backend.ScanOptions{Name: ".x/d"})
	if err != nil || got.Root.Name != "d" || !got.Root.Children[0].Hidden {
		t.Errorf("%v %+v", err, got)
	}
	if _, err := s.ScanFrom(context.Background(), backend.ScanOptions{Name: "none"}); !errors.Is(err, backend.ErrNotExist) ||
		errors.Is(err, backend.ErrUnavailable) {
		t.Error(err)
	}
	if _, err := s.ScanFrom(context.Background(), backend.ScanOptions{Name: "other"}); !errors.Is(err, backend.ErrNotDir) {
		t.Error(err)
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
