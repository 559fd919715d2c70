package transfer_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/transfer"
)

// verified are the notes whose text the user verified, by name.
func (s *store) verified() string {
	s.t.Helper()
	var names []string
	s.must(s.j.Facts(context.Background(), func(f past.Fact) bool {
		if f.Stands() {
			names = append(names, memstore.BackendName(f.Path))
		}
		return true
	}))
	slices.Sort(names)
	return strings.Join(names, " ")
}

// What the user verified stays verified while its text does, in a move and in a copy, which only looks at the source.
func TestVerifiedNotesStayVerified(t *testing.T) {
	t.Parallel()
	for _, move := range []bool{false, true} {
		src := newStore(t, "src", map[string]string{"a.md": "a\n", "b.md": "b\n", "c.md": "mine\n", "d.md": "d\n", "e.md": "e\n"})
		dst := newStore(t, "dst", map[string]string{"c.md": "theirs\n", "d.md": "d\n"})
		then, what := time.Now().Add(-100*24*time.Hour), map[string]past.Verification{}
		for _, name := range []string{"a", "b", "c", "d"} {
			what["/memories/"+name+".md"] = past.Verification{At: then}
		}
		src.must(src.j.Verify(context.Background(), what))
		src.must(os.WriteFile(filepath.Join(src.dir, "b.md"), []byte("changed\n"), 0o600)) // the journal may not know
		x := &transfer.Transfer{From: src.place, To: dst.place, Move: move}
		if !move {
			x.From.Record, x.From.Facts = nil, src.j.Facts
		}
		carry(t, x)
		if got := dst.verified(); got != "a.md d.md" {
			t.Errorf("verified at the destination are %q", got)
		}
		dst.must(dst.j.Facts(context.Background(), func(f past.Fact) bool {
			if f.Stands() && !f.Verified.At.Equal(then) {
				t.Errorf("%s is verified as of %v, want %v", f.Path, f.Verified.At, then)
			}
			return true
		}))
		dst.undo()
		if got := dst.verified(); got != "d.md" {
			t.Errorf("after the undo are verified %q", got)
		}
		if move {
			src.undo()
			if got := src.verified(); got != "a.md c.md d.md" {
				t.Errorf("after the undo are verified at the source %q", got)
			}
		}
	}
}
