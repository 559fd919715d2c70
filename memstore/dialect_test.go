package memstore

import (
	"errors"
	"testing"
)

func TestWithDialect(t *testing.T) {
	s := New(NewMemory(), Options{ReadOnly: true})
	other := s.WithDialect(Python)
	if s.Dialect() != Docs || other.Dialect() != Python || other.Backend() != s.Backend() {
		t.Error("the dialects or the backends are mixed up")
	}
	if r := other.Create(t.Context(), "/memories/a", ""); !errors.Is(r.Err, ErrReadOnly) {
		t.Errorf("the options got lost: %q", r.Content)
	}
	must(t, s.Close())
	for _, d := range Dialects() {
		if r := s.WithDialect(d).View(t.Context(), "/memories", nil); r.Content != "Error: The memory directory is not available" {
			t.Errorf("%s: %q", d, r.Content)
		}
	}
}
