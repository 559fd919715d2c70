package journal

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// TestRetainDoesWhatIsDue: by age, by size, not more often than asked, and never what is pinned.
func TestRetainDoesWhatIsDue(t *testing.T) {
	d, c := clockDesk(t)
	ctx := context.Background()
	on := true
	retain := func(r Retention, want int) {
		t.Helper()
		p, err := d.j.Retain(ctx, r)
		d.must(err)
		if p.Revisions != want {
			t.Errorf("at hour %d: %d revisions were taken out, want %d", c.hour, p.Revisions, want)
		}
	}
	for c.hour = range 10 {
		d.do(create("/memories/a.md", string(noteOf(4000, uint64(c.hour)))))
	}
	d.must(d.j.Pin(true, 2))
	c.hour = 10
	retain(Retention{}, 0)
	if s, err := d.j.Check(ctx); err != nil || s.Chain.On {
		t.Errorf("there is a chain: %v", err)
	}
	retain(Retention{Chain: &on, Keep: Keep{Age: 24 * time.Hour}}, 0)
	retain(Retention{Keep: Keep{Age: 6*time.Hour + time.Minute}, Every: 2 * time.Hour}, 3) // 1, 3, 4: not the pinned one
	c.hour = 11
	retain(Retention{Keep: Keep{Age: time.Hour}, Every: 2 * time.Hour}, 0)
	c.hour = 12
	retain(Retention{Keep: Keep{Age: 5 * time.Hour}, Every: 2 * time.Hour}, 3)
	c.hour = 13
	retain(Retention{Keep: Keep{Bytes: 1}}, 3)
	if s, err := d.j.Check(ctx); err != nil || !s.OK() || !s.Chain.On || s.Chain.Broken != 0 || s.Revisions != 1 {
		t.Errorf("after it: %+v, %v", s, err)
	}
	d.holds("a.md", string(noteOf(4000, 9)))
	if got := fmt.Sprint(d.facts()["/memories/a.md"].FirstSeen.Equal(at(0))); got != "true" {
		t.Error("the file has forgotten when it came")
	}
}
