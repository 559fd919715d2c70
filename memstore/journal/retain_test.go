package journal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
)

// TestRetainDoesWhatIsDue: by age, by size, and not more often than asked.
func TestRetainDoesWhatIsDue(t *testing.T) {
	d, c := clockDesk(t)
	ctx := context.Background()
	retain := func(r Retention, want int) {
		t.Helper()
		p, err := d.j.Retain(ctx, r)
		d.must(err)
		if p.Revisions != want {
			t.Errorf("at hour %d: pruned %d revisions, want %d", c.hour, p.Revisions, want)
		}
	}
	for c.hour = range 10 {
		d.do(create("/memories/a.md", string(memtest.Note(4000, uint64(c.hour)))))
	}
	c.hour = 10
	retain(Retention{}, 0)
	retain(Retention{Keep: past.Keep{Age: 24 * time.Hour}}, 0)
	retain(Retention{Keep: past.Keep{Age: 6*time.Hour + time.Minute}, Every: 2 * time.Hour}, 4)
	c.hour = 11
	retain(Retention{Keep: past.Keep{Age: time.Hour}, Every: 2 * time.Hour}, 0)
	c.hour = 12
	retain(Retention{Keep: past.Keep{Age: 5 * time.Hour}, Every: 2 * time.Hour}, 3)
	c.hour = 13
	retain(Retention{Keep: past.Keep{Bytes: 1}}, 3)
	if s, err := d.j.Check(ctx); err != nil || !s.OK() || s.Revisions != 0 {
		t.Errorf("after it: %+v, %v", s, err)
	}
	d.holds("a.md", string(memtest.Note(4000, 9)))
	if got := fmt.Sprint(d.facts()["/memories/a.md"].FirstSeen.Equal(at(0))); got != "true" {
		t.Error("the file has forgotten when it came")
	}
}

// An agent must not be able to remove its tracks, and the trash, by one note that is larger than the past may be.
func TestALargeNoteDoesNotPushThePastOut(t *testing.T) {
	d := newDesk(t)
	ctx := context.Background()
	const most = 100_000
	d.do(create("/memories/kept.md", "what was there\n"))
	d.do(remove("/memories/kept.md"))
	r := rand.New(rand.NewPCG(3, 3))
	fat := make([]byte, 4*most)
	for i := range fat {
		fat[i] = "0123456789abcdef"[r.IntN(16)]
	}
	d.do(create("/memories/fat.md", string(fat)))
	retain := func(when string, want int) {
		t.Helper()
		_, err := d.j.Retain(ctx, Retention{Keep: past.Keep{Bytes: most}})
		d.must(err)
		if list := d.revisions(); len(list) != want {
			t.Errorf("%s %d revisions remain, want %d", when, len(list), want)
		}
		if rep := d.check(); !rep.OK() {
			t.Errorf("%s: %+v", when, rep)
		}
	}
	retain("while it is there", 3)
	d.do(remove("/memories/fat.md"))
	retain("once it is gone", 4)
	plan, err := d.editor().PlanRestore(ctx, undo.Restore{Path: "/memories/kept.md"})
	d.must(err)
	_, err = d.editor().Carry(ctx, plan)
	d.must(err)
	d.holds("kept.md", "what was there\n")
	list := d.revisions()
	if side := list[3].Before; side.Kept || side.Why == "" {
		t.Errorf("the bytes of the large note are kept: %+v", side)
	}
}
