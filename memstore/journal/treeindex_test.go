package journal

import (
	"context"
	"math/rand/v2"
	"testing"
)

// The index that is read on from where it ended has what one that is read whole has, whatever
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
		db, err := d.j.reader()
		d.must(err)
		var whole treeIndex
		d.must(whole.refresh(context.Background(), db))
		read := d.j.index.spans
		if len(read) != len(whole.spans) {
			t.Fatalf("%d intervals, read whole %d", len(read), len(whole.spans))
		}
		for i := range read {
			a, b := read[i], whole.spans[i]
			// What a look at the disk has told of an entry since is not read again.
			a.mode, a.modTime, b.mode, b.modTime = 0, 0, 0, 0
			if a != b {
				t.Fatalf("interval %d is %+v, read whole %+v", i, a, b)
			}
		}
		if _, ok := tree.Find("/memories"); ok {
			t.Fatal("the root is an entry")
		}
	}
}
