package tree

import (
	"slices"
	"testing"
	"time"

	"memcurator/memstore"
)

func TestOrders(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
	file := func(name string, size int64, at time.Time) *memstore.Node {
		return &memstore.Node{Info: memstore.Info{Name: name, Kind: memstore.KindFile, Size: size, ModTime: at}}
	}
	folder := file("d", 4096, day(2))
	folder.Kind, folder.Bytes = memstore.KindDir, 500
	folder.Children = []*memstore.Node{file("x", 1, day(1)), file("y", 1, day(1))}
	root := &memstore.Node{Children: []*memstore.Node{file("a", 10, day(3)), file("b", 1000, day(1)), folder}}
	for by, want := range map[order][]string{byName: {"a", "b", "d"}, bySize: {"b", "d", "a"}, byAge: {"a", "d", "b"}, byLinks: {"d", "b", "a"}} {
		s := sorter{by: by, links: linksBelow(map[string]int{"/memories/b": 2, "/memories/d/e/x": 1, "/memories/d/y": 2})}
		for range 2 { // the second time from what was kept
			var got []string
			for _, n := range s.children(root, "/memories") {
				got = append(got, n.Name)
			}
			if !slices.Equal(got, want) {
				t.Errorf("by %v: %v, want %v", by, got, want)
			}
		}
	}
}
