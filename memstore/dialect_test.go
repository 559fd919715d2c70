package memstore

import "testing"

func TestAMissingMemoryDirectoryInEachDialect(t *testing.T) {
	for _, d := range Dialects() {
		s := New(NewMemory(), Options{Dialect: d})
		must(t, s.Close())
		if r := s.View(t.Context(), "/memories", nil); r.Content != "Error: The memory directory is not available" {
			t.Errorf("%s: %q", d, r.Content)
		}
	}
}
