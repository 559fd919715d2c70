package journal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore"
)

func (d *desk) reconcile() Progress {
	d.t.Helper()
	p, err := d.j.Reconcile(context.Background(), nil)
	d.must(err)
	return p
}

func TestBaselineIsNoRevision(t *testing.T) {
	d := newDesk(t)
	d.outside("a.md", "one\n")
	d.outside("b/c.md", "two\n")
	d.reconcile()
	d.tells()
	d.do(replace("/memories/a.md", "one", "three"))
	d.tells("agent str_replace /memories/a.md")
	d.reconcile()
	d.tells("agent str_replace /memories/a.md")
}

func TestWhatHappenedUnseenIsRecordedOnce(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"same.md", "edited.md", "gone.md", "moved.md", "dir/in.md"} {
		d.outside(name, "text of "+name+"\n")
	}
	d.reconcile()
	d.close()
	d.outside("edited.md", "other text\n")
	d.gone("gone.md")
	d.must(os.Rename(filepath.Join(d.dir, "moved.md"), filepath.Join(d.dir, "dir", "went.md")))
	d.outside("new/new.md", "new\n")
	d.open(Options{})
	d.reconcile()
	want := []string{
		"external delete /memories/gone.md (unseen)", "external rename /memories/moved.md /memories/dir/went.md (unseen)",
		"external edit /memories/edited.md (unseen)", "external create /memories/new/new.md (unseen)",
	}
	d.tells(want...)
	d.reopen()
	d.reconcile()
	d.tells(want...)
}

func TestUnreadableIsNotDeleted(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	d := newDesk(t)
	d.outside("dir/a.md", "one\n")
	d.reconcile()
	d.must(os.Chmod(filepath.Join(d.dir, "dir"), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(d.dir, "dir"), 0o700) })
	d.reconcile()
	d.tells()
}

func TestBaselineIsBounded(t *testing.T) {
	d := newDesk(t)
	d.close()
	d.open(Options{MaxFile: 100, MaxBaseline: 150})
	d.outside("big.md", fmt.Sprintf("%0200d", 1))
	d.outside("one.md", fmt.Sprintf("%090d", 1))
	d.outside("two.md", fmt.Sprintf("%090d", 2))
	if p := d.reconcile(); p.LeftOut != 2 || p.Bytes != 90 {
		t.Errorf("the baseline is %+v", p)
	}
	d.gone("big.md")
	d.gone("two.md")
	d.reconcile()
	for _, r := range d.revisions() {
		if r.Before.Kept || r.Before.Why == "" || r.Before.Digest == (memstore.Digest{}) {
			t.Errorf("%s: %+v", r.Path, r.Before)
		}
	}
}

func TestObservationsAreRecordedOnce(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "one\n"))
	seen := func(text string) *Seen {
		return &Seen{Digest: memstore.Sum([]byte(text)), Size: int64(len(text)), Read: func() ([]byte, error) { return []byte(text), nil }}
	}
	observe := func(want int, o Observation) {
		t.Helper()
		o.Kind, o.Path = memstore.KindFile, "/memories/a.md"
		n, err := d.j.Observe(t.Context(), []Observation{o})
		d.must(err)
		if n != want {
			t.Errorf("%d revisions for an observation, want %d", n, want)
		}
	}
	observe(0, Observation{After: seen("one\n")}) // made by our own handler
	d.outside("a.md", "two\n")
	observe(1, Observation{Before: seen("one\n"), After: seen("two\n")})
	observe(0, Observation{Before: seen("one\n"), After: seen("two\n")})
	d.outside("a.md", "one\n")
	observe(1, Observation{Before: seen("two\n"), After: seen("one\n")})
	d.outside("a.md", "three\n")
	d.do(replace("/memories/a.md", "three", "four")) // records three first
	observe(0, Observation{Before: seen("one\n"), After: seen("three\n")})
	d.gone("a.md")
	observe(1, Observation{Before: seen("four\n")})
	observe(0, Observation{Before: seen("four\n")})
	d.reconcile()
	if got := len(d.revisions()); got != 6 {
		t.Errorf("%d revisions: %q", got, d.story())
	}
}

// A watcher may come late with what another program wrote: not after what one of us has made of it since.
func TestALateObservationIsNotRecordedAfterAnEdit(t *testing.T) {
	d := newDesk(t)
	d.outside("sub/a.md", "theirs\n")
	d.reconcile()
	late := Observation{
		Time: time.Now(), Kind: memstore.KindFile, Path: "/memories/sub/a.md",
		After: &Seen{Digest: memstore.Sum([]byte("theirs\n")), Size: 7, Read: func() ([]byte, error) { return []byte("theirs\n"), nil }},
	}
	d.do(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/sub"})
	d.do(create("/memories/sub/a.md", "ours\n"))
	n, err := d.j.Observe(t.Context(), []Observation{late})
	d.must(err)
	d.reconcile()
	if last := d.revisions()[len(d.revisions())-1]; n != 0 || last.Actor != memstore.Agent {
		t.Errorf("%d revisions for what is over, and the last is %s's: %q", n, last.Actor, d.story())
	}
	// What is still there counts, however late it is told.
	d.outside("sub/a.md", "theirs\n")
	late.Before = &Seen{Digest: memstore.Sum([]byte("ours\n")), Size: 5}
	if n, err := d.j.Observe(t.Context(), []Observation{late}); err != nil || n != 1 {
		t.Errorf("%d revisions for what is there, %v", n, err)
	}
}
