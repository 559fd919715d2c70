package journal

import (
	"context"
	"fmt"
	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
	"testing"
	"time"
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
