package journal

import (
	"context"
	"testing"
	"time"

	"memcurator/memstore"
)

// TestWhatWasPutBackAndGoesAgainIsSomebodyElses: a deletion of ours that was undone is not the one that a
// watcher tells of later, though it is less than a minute ago.
func TestWhatWasPutBackAndGoesAgainIsSomebodyElses(t *testing.T) {
	d, c := clockDesk(t)
	d.do(create("/memories/a.md", "a\n"))
	d.as(memstore.Curator, remove("/memories/a.md"))
	d.j.Flush()
	gone := Observation{Time: c.now(), Kind: memstore.KindFile, Path: "/memories/a.md", Before: &Seen{Digest: memstore.Sum([]byte("a\n")), Size: 2}}
	attribute := func() memstore.Actor {
		t.Helper()
		makers, err := d.j.Attribute(context.Background(), []Observation{gone})
		d.must(err)
		return makers[0].Actor
	}
	if got := attribute(); got != memstore.Curator {
		t.Errorf("our own deletion is told as that of %q", got)
	}
	d.undo()
	d.j.options.Now = func() time.Time { return gone.Time.Add(attributeWithin / 2) }
	gone.Time = gone.Time.Add(attributeWithin / 2)
	if got := attribute(); got != "" {
		t.Errorf("what somebody else deleted after that is told as that of %q", got)
	}
	d.gone("a.md")
	if n, err := d.j.Observe(context.Background(), []Observation{gone}); err != nil || n != 1 {
		t.Errorf("it made %d revisions, %v", n, err)
	}
}
