package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// acceptEmpty confirms that the store is meant to be empty.
func (d *desk) acceptEmpty() (group int64) {
	d.t.Helper()
	_, group, err := d.j.AcceptEmpty(context.Background())
	d.must(err)
	return group
}

// TestAnEmptiedStoreIsDoubted: files that all vanish together do not count as deleted until the user confirms it; then they
// come back as one.
func TestAnEmptiedStoreIsDoubted(t *testing.T) {
	d := newDesk(t)
	ctx := context.Background()
	d.do(create("/memories/a.md", "a\n"))
	d.do(create("/memories/d/b.md", "b\n"))
	d.syncAll()
	emptied := func(want int) {
		t.Helper()
		if n, err := d.j.Emptied(ctx); err != nil || n != want {
			t.Errorf("%d files are missed, %v; want %d", n, err, want)
		}
	}
	emptied(0)
	was := d.revisions()
	d.gone("a.md")
	emptied(0)
	d.gone("d/b.md") // its folder stays: folders are not files
	emptied(2)
	if _, err := d.j.Sync(ctx, past.Hints{Unseen: true}); !errors.Is(err, errEmptied) || !errors.Is(err, memstore.ErrUnavailable) {
		t.Errorf("the comparison: %v", err)
	}
	if now := d.revisions(); len(now) != len(was) {
		t.Errorf("recorded is %q", d.story())
	}
	d.must(os.WriteFile(filepath.Join(d.dir, "other.md"), []byte("o"), 0o600))
	emptied(0) // the store is in use
	d.gone("other.md")
	group := d.acceptEmpty()
	emptied(0)
	d.syncAll()
	p, err := d.editor().PlanGroup(ctx, group)
	d.must(err)
	if _, err := d.editor().Carry(ctx, p); err != nil {
		t.Fatal(err)
	}
	d.holds("a.md", "a\n")
	d.holds("d/b.md", "b\n")
}
