package past

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"memcurator/memstore"
)

// revisions list what happened, oldest first.
type revisions []Revision

// List implements [Lister].
func (l revisions) List(_ context.Context, f Filter, visit func(Revision) bool) error {
	for _, r := range l {
		if r.Rev > f.After && r.Rev < f.Before && !visit(r) {
			break
		}
	}
	return nil
}

func TestCompareRenamed(t *testing.T) {
	file := func(path string, digest byte) Entry {
		return Entry{Path: "/memories/" + path, Kind: memstore.KindFile, Digest: memstore.Digest{digest}}
	}
	old := &Tree{Entries: []Entry{file("a.md", 1), file("b.md", 2), file("d/x.md", 3), file("d/y.md", 4), file("gone.md", 5)}}
	now := &Tree{Rev: 9, Entries: []Entry{file("c.md", 7), file("e/x.md", 3), file("e/z.md", 4), file("new.md", 5)}}
	log := revisions{
		{Rev: 1, Shape: Renamed, Kind: memstore.KindFile, OldPath: "/memories/a.md", Path: "/memories/t.md"},
		{Rev: 2, Shape: Renamed, Kind: memstore.KindDir, OldPath: "/memories/d", Path: "/memories/e"},
		{Rev: 3, Shape: Renamed, Kind: memstore.KindFile, OldPath: "/memories/t.md", Path: "/memories/c.md"},
		{Rev: 4, Shape: Renamed, Kind: memstore.KindFile, OldPath: "/memories/e/y.md", Path: "/memories/e/z.md"},
		{Rev: 5, Shape: Removed, Kind: memstore.KindFile, Path: "/memories/gone.md"},
		{Rev: 6, Shape: Made, Kind: memstore.KindFile, Path: "/memories/new.md"},
		{Rev: 7, Shape: Removed, Kind: memstore.KindFile, Path: "/memories/b.md"},
	}
	name := func(e *Entry) string {
		if e == nil {
			return ""
		}
		return e.Path[len("/memories/"):]
	}
	for _, back := range []bool{false, true} {
		from, to := old, now
		want := []string{"b.md>", "a.md>c.md", "d/x.md>e/x.md", "d/y.md>e/z.md", "gone.md>", ">new.md"}
		if back {
			from, to = now, old
			want = []string{"c.md>a.md", ">b.md", "e/x.md>d/x.md", "e/z.md>d/y.md", ">gone.md", "new.md>"}
		}
		var got []string
		if err := CompareRenamed(context.Background(), log, from, to, func(before, after *Entry) error {
			got = append(got, fmt.Sprintf("%s>%s", name(before), name(after)))
			return nil
		}); err != nil || !slices.Equal(got, want) {
			t.Errorf("back %v: %v, %v; want %v", back, got, err, want)
		}
	}
}
