package drafts

import (
	"testing"

	"memcurator/memstore"
)

// fixed is a store that never changes its notes.
type fixed struct{ memstore.Backend }

func (fixed) Takes(string) error   { return nil }
func (fixed) Changes(string) error { return memstore.ErrFixed }

func TestNoEditorOpensForAReadOnlyNote(t *testing.T) {
	t.Parallel()
	open, closed := memstore.NewMemory(), fixed{memstore.NewMemory()}
	if got := whyFixed(memstore.New(open, memstore.Options{}), "/memories/a.md"); got != "" {
		t.Errorf("a note that can be changed: %q", got)
	}
	got := whyFixed(memstore.New(closed, memstore.Options{}), "/memories/a.md")
	if want := "Can't edit a.md: it is read-only"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
