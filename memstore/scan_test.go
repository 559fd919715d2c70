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

func scanPaths(s *backend.Snapshot) string {
	var b strings.Builder
	s.Walk(func(path string, n *backend.Node) bool {
		fmt.Fprintf(&b, "%s %d/%d hidden=%v\n", strings.TrimPrefix(path, backend.Root), n.Files, n.Bytes, n.Hidden)
		return true
	})
	return b.String()
}

func TestScan(t *testing.T) {
	const want = ` 5/21 hidden=false
/.dot 1/1 hidden=true
/.dot/x 1/1 hidden=true
/a 1/5 hidden=false
/d 2/5 hidden=false
/d/e 1/2 hidden=false
/d/e/f 1/2 hidden=false
/d/g.md.x 1/3 hidden=false
/empty 0/0 hidden=false
/node_modules 1/10 hidden=true
/node_modules/k 1/10 hidden=true
`
	s := linkedStore(t, Options{}, nil, "a", "12345", "d/e/f", "12", "d/g.md.x", "123", "empty/", "", ".dot/x", "1",
		"node_modules/k", "1234567890")
	must(t, os.WriteFile(filepath.Join(s.Backend().(*Dir).Path(), ".tmp-12-abc"), []byte("a write under way"), 0o600))
	got, err := s.Scan(context.Background(), backend.ScanOptions{})
	must(t, err)
	if scanPaths(got) != want || !got.Complete {
		t.Errorf("%s\nwant\n%s", scanPaths(got), want)
	}
}

func TestScanDoesNotFollowLinks(t *testing.T) {
	s := linkedStore(t, Options{}, map[string]string{"d/loop": ".."}, "d/x", "x")
	got, err := s.Scan(context.Background(), ScanOptions{})
	must(t, err)
	if n := got.Find("/memories/d/loop"); n == nil || n.Kind != backend.KindLink || len(n.Children) > 0 || got.Root.Files != 2 {
		t.Errorf("%+v", n)
	}
}
