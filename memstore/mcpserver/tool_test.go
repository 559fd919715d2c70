package mcpserver

import (
	"errors"
	"strings"
	"testing"

	"memcurator/memstore"
)

// A view that is too long for a message is refused; a part of it is still given.
func TestLongViewsAreRefused(t *testing.T) {
	store := memstore.New(memstore.NewMemory(), memstore.Options{})
	text := strings.Repeat("0123456789\n", 100)
	if r := store.Create(t.Context(), "/memories/a", text); r.IsError {
		t.Fatal(r.Content)
	}
	whole := store.View(t.Context(), "/memories/a", nil)
	s := &server{store: store, longest: len(whole.Content)}
	view := func(more string) memstore.Result {
		return s.do(t.Context(), []byte(`{"command":"view","path":"/memories/a"`+more+`}`))
	}
	if r := view(""); r != whole {
		t.Errorf("at the limit: %+v", r)
	}
	s.longest--
	if r := view(""); !r.IsError || r.Content != viewTooLong || !errors.Is(r.Err, errTooLong) {
		t.Errorf("above the limit: %.200q, %v", r.Content, r.Err)
	}
	if r := view(`,"view_range":[2,3]`); r != store.View(t.Context(), "/memories/a", []int{2, 3}) {
		t.Errorf("a part: %+v", r)
	}
	if r, want := s.do(t.Context(), []byte(`{"command":"view","path":"/memories/none"}`)),
		store.View(t.Context(), "/memories/none", nil); r.Content != want.Content || !r.IsError {
		t.Errorf("a failure: %+v", r)
	}
}
