package journal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"memcurator/memstore"
)

// scan is the tree of the disk now, as a watcher has it.
func (d *desk) scan() *memstore.Snapshot {
	d.t.Helper()
	snap, err := d.store.Scan(context.Background(), nil)
	d.must(err)
	return snap
}

// What our own edits did since a tree was read is not an external change, and what others have done
// before is found by it.
func TestComparingByAnOldTree(t *testing.T) {
	t.Parallel()
	for seed := range rounds(t, 4, 30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 29))
			d := newDesk(t)
			d.outside("a.md", "first\n")
			d.outside("d/e/a.md", "second\n")
			d.reconcile()
			for range 10 {
				d.actOfOurs(r)
			}
			tree := d.scan()
			for range 10 {
				d.actOfOurs(r)
			}
			before := len(d.revisions())
			_, err := d.j.ReconcileTree(t.Context(), tree, nil)
			d.must(err)
			if got := d.revisions()[before:]; len(got) > 0 {
				t.Fatalf("an old tree was taken for a change: %q", d.story()[before:])
			}
			for range 10 {
				d.act(r)
			}
			tree = d.scan()
			for range r.IntN(5) {
				d.actOfOurs(r)
			}
			_, err = d.j.ReconcileTree(t.Context(), tree, nil)
			d.must(err)
			if rep := d.check(); !rep.OK() {
				t.Fatalf("%+v\n%q", rep, d.story())
			}
			last, err := d.j.Last(t.Context())
			d.must(err)
			if diff := same(d.replayed(last), d.plain()); diff != "" {
				t.Fatalf("replayed:\n%s\n%q", diff, d.story())
			}
		})
	}
}

// actOfOurs is act by the handlers alone.
func (d *desk) actOfOurs(r *rand.Rand) {
	paths := []string{"a.md", "b.md", "d/a.md", "d/e/a.md", "f/a.md", "d", "f", "d/e"}
	path := memstore.AgentPath(paths[r.IntN(len(paths))])
	text := fmt.Sprintf("%d\n%d\n", r.IntN(5), r.IntN(1000))
	switch r.IntN(6) {
	case 0:
		d.store.Do(context.Background(), remove(path))
	case 1:
		d.store.Do(context.Background(), rename(path, memstore.AgentPath(paths[r.IntN(len(paths))])))
	default:
		d.store.Do(context.Background(), create(path, text))
	}
}
