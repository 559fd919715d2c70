package journal

import (
	"context"
	"math/rand/v2"
	"memcurator/memstore/journal/archive"
	"testing"
	"time"
)

// An index that resumes where it ended equals one read from the start, whatever
// came, ended or moved meanwhile.
func TestIndexReadOnIsAsReadWhole(t *testing.T) {
	d := newDesk(t)
	d.outside("a.md", "first\n")
	d.outside("d/a.md", "second\n")
	d.reconcile()
	r := rand.New(rand.NewPCG(3, 17))
	for range rounds(t, 40, 200) {
		for range r.IntN(4) {
			d.act(r)
		}
		if r.IntN(4) == 0 {
			d.reconcile()
		}
		last, err := d.j.Last(context.Background())
		d.must(err)
		tree, err := d.j.Tree(context.Background(), r.Int64N(last+1))
		d.must(err)
		fresh := archive.New(d.j.pool, failed)
		for _, at := range append(r.Perm(int(last) + 1)[:min(10, last+1)], int(last)) {
			known, err := d.j.Tree(context.Background(), int64(at))
			d.must(err)
			whole, err := fresh.Tree(context.Background(), int64(at))
			d.must(err)
			if len(known.Entries) != len(whole.Entries) {
				t.Fatalf("%d entries at %d, read whole %d", len(known.Entries), at, len(whole.Entries))
			}
			for i, a := range known.Entries {
				b := whole.Entries[i]
				// An entry that has since been read from disk is not read again.
				a.Mode, a.ModTime, b.Mode, b.ModTime = 0, time.Time{}, 0, time.Time{}
				if a != b {
					t.Fatalf("entry %d at %d is %+v, read whole %+v", i, at, a, b)
				}
			}
		}
		if _, ok := tree.Find("/memories"); ok {
			t.Fatal("the root is an entry")
		}
	}
}
