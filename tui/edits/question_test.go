package edits

import (
	"testing"

	"memcurator/memstore"
)

// A file that comes back under another name is one line, and the sum counts it as a move.
func TestASumCountsMovesOnce(t *testing.T) {
	moved, other := memstore.Sum([]byte("moved")), memstore.Sum([]byte("other"))
	lines := joinMoves([]undoLine{
		{Does: "delete", Path: "/memories/archive/a.md", size: 5, digest: moved},
		{Does: "delete", Path: "/memories/archive/copy.md", size: 5, digest: moved},
		{Does: "delete", Path: "/memories/new.md", size: 2048, digest: other},
		{Does: "delete", Path: "/memories/archive/", folder: true},
		{Does: "restore", Path: "/memories/a.md", size: 5, digest: moved},
		{Does: "restore", Path: "/memories/empty.md"},
		{Does: "rewrite", Path: "/memories/b.md", size: 1024},
	})
	if len(lines) != 6 {
		t.Errorf("%d lines: %v", len(lines), lines)
	}
	if at := lines[3]; at.Does != "move" || at.OldPath != "/memories/archive/a.md" || at.Path != "/memories/a.md" {
		t.Errorf("%+v is not the move", at)
	}
	want := "Deletes 2 files and 1 folder, 2.0K; moves 1 file, 5B; restores 1 file, 0B; rewrites 1 file, 1.0K"
	if got := sumText(memstore.Docs, lines); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := sumText(memstore.Docs, nil); got != "" {
		t.Errorf("%q about nothing", got)
	}
}
