package journal

import (
	"fmt"
	"slices"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Whoever adds what came since has in mind what a whole reading gives, whatever was marked or
// undone meanwhile.
func TestUnreadIsReadOn(t *testing.T) {
	d := newDesk(t)
	var mind []past.Revision
	var from, last int64
	const most = 6
	anews := 0
	look := func() {
		t.Helper()
		list, now, anew, err := d.j.UnreadSince(t.Context(), SumUnread(mind, from, last), most)
		d.must(err)
		if anew {
			mind, from = nil, 0
			anews++
		}
		mind = append(mind, list...)
		if len(mind) > most {
			mind = slices.Clone(mind[len(mind)-most:])
		}
		if last = now; len(mind) == most {
			from = mind[0].Rev
		}
		whole, err := d.j.Revisions(t.Context(), past.Filter{Unread: true, Newest: true, Limit: most})
		d.must(err)
		slices.Reverse(whole)
		if len(whole) != len(mind) {
			t.Fatalf("%d in mind, the journal has %d", len(mind), len(whole))
		}
		for i := range whole {
			if whole[i].Rev != mind[i].Rev || whole[i].UndoneBy != mind[i].UndoneBy {
				t.Fatalf("%d in mind, %d in the journal", mind[i].Rev, whole[i].Rev)
			}
		}
	}
	look()
	for i := range 4 {
		d.do(create(fmt.Sprintf("/memories/%d.md", i), "x\n"))
		look()
	}
	if anews != 2 { // nothing was there to go on from, twice
		t.Errorf("%d times read anew", anews)
	}
	d.as(memstore.Curator, create("/memories/mine.md", "x\n"))
	look()
	d.must(d.j.MarkRead(true, mind[1].Rev))
	look() // another program did
	if anews != 3 {
		t.Errorf("%d times read anew after a mark", anews)
	}
	d.revert(mind[0].Rev)
	look()
	if anews != 4 {
		t.Errorf("%d times read anew after an undo", anews)
	}
	for i := range 5 {
		d.do(create(fmt.Sprintf("/memories/more-%d.md", i), "x\n"))
		look()
	}
	if anews != 4 {
		t.Errorf("%d times read anew while they came", anews)
	}
}
