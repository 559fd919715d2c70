package memstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
		got, err := s.Scan(context.Background(), backend.ScanOptions{Report: func(s *backend.Snapshot) { reports = append(reports, s) }})
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
	got, err := s.Scan(context.Background(), ScanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n := got.Find("/memories/d/loop"); n == nil || n.Kind != backend.KindLink || len(n.Children) > 0 || got.Root.Files != 2 {
		t.Errorf("%+v", n)
	}
}
