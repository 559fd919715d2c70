package age_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"memcurator/memstore"
)

// The cost of encryption, compared with a plain directory.
func BenchmarkStores(b *testing.B) {
	ctx := context.Background()
	plain := func(b *testing.B) *memstore.Store {
		s, err := memstore.Open(b.TempDir(), memstore.Options{})
		must(b, err)
		return s
	}
	sealed := func(b *testing.B) *memstore.Store {
		d, _ := newDir(b)
		return memstore.New(d, memstore.Options{})
	}
	for _, kind := range []struct {
		name string
		open func(*testing.B) *memstore.Store
	}{{"Dir", plain}, {"age", sealed}} {
		for _, size := range []int{2 << 10, 1 << 20} {
			text := strings.Repeat("a line of a memory file, as agents write\n", size/41)
			b.Run(fmt.Sprintf("create/%dK/%s", size>>10, kind.name), func(b *testing.B) {
				s := kind.open(b)
				for i := 0; b.Loop(); i++ {
					if r := s.Create(ctx, fmt.Sprintf("/memories/%d/%d.md", i/100, i), text); r.IsError {
						b.Fatal(r.Content)
					}
				}
			})
			b.Run(fmt.Sprintf("view/%dK/%s", size>>10, kind.name), func(b *testing.B) {
				s := kind.open(b)
				s.Create(ctx, "/memories/a.md", text)
				for b.Loop() {
					if r := s.View(ctx, "/memories/a.md", nil); r.IsError {
						b.Fatal(r.Content)
					}
				}
			})
		}
		b.Run("list/400/"+kind.name, func(b *testing.B) {
			s := kind.open(b)
			for i := range 400 {
				s.Create(ctx, fmt.Sprintf("/memories/%d/%d.md", i/20, i), "text")
			}
			for b.Loop() {
				if r := s.View(ctx, "/memories", nil); r.IsError {
					b.Fatal(r.Content)
				}
			}
		})
	}
}
