package journal

import (
	"context"
	"errors"
	"memcurator/memstore/past"
	"testing"
	"time"
)

// A clock that jumps takes nothing of the past by age, at no later start either, until a person says that it is right.
func TestAClockThatJumpsTakesNoPast(t *testing.T) {
	ctx := context.Background()
	now := time.Now()
	start := func(d *desk) {
		d.close()
		d.open(Options{Now: func() time.Time { return now }})
	}
	d := newDesk(t)
	start(d)
	d.do(create("/memories/a.md", "a\n"))
	d.do(create("/memories/b.md", "b\n"))
	keep := Retention{Keep: past.Keep{Age: 90 * 24 * time.Hour}}
	for _, jump := range []time.Duration{10 * 365 * 24 * time.Hour, time.Hour} { // the second start finds edits made under that clock
		now = now.Add(jump)
		start(d)
		d.do(create("/memories/"+jump.String()+".md", "with the wrong time\n"))
		if p, err := d.j.Retain(ctx, keep); !errors.Is(err, errClock) || p.Revisions != 0 {
			t.Errorf("%v ahead: pruned %d revisions: %v", jump, p.Revisions, err)
		}
	}
	if report, err := d.j.Check(ctx); err != nil || report.Doubt.IsZero() {
		t.Errorf("the check says nothing of the clock: %+v %v", report, err)
	}
	p, err := d.j.Prune(ctx, keep.Keep)
	d.must(err)
	if p.Revisions == 0 {
		t.Error("a manual prune removes nothing")
	}
	if _, err := d.j.Retain(ctx, keep); err != nil {
		t.Errorf("after it the clock is still doubted: %v", err)
	}
}
