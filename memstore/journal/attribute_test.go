package journal

import (
	"context"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/undo"
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

// TestAFolderThatGoesTakesItsFoldersAlong: a watcher tells the files and the topmost folder; the folders
// between are revisions too, and come back with their modes.
func TestAFolderThatGoesTakesItsFoldersAlong(t *testing.T) {
	d := grove(t)
	d.reconcile()
	was := d.portrait()
	d.gone("dir")
	var list []Observation
	for _, name := range []string{"dir/a.md", "dir/sub/b.bin", "dir/sub/deep/c.md"} {
		list = append(list, Observation{Kind: memstore.KindFile, Path: memstore.AgentPath(name), Before: &Seen{}})
	}
	list = append(list, Observation{Kind: memstore.KindDir, Path: "/memories/dir"})
	if n, err := d.j.Observe(context.Background(), list); err != nil || n != 8 {
		t.Errorf("%d revisions, %v: %q", n, err, d.story())
	}
	d.restore(undo.Restore{Path: "/memories/dir"})
	for name, want := range was {
		if got := d.portrait()[name]; name != "." && got != want {
			t.Errorf("%s is %q, was %q", name, got, want)
		}
	}
}
