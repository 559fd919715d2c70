package policy_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

// Any number of actions is one group, and one undo reverses them. MEMCURATOR_MANY makes it ten thousand.
func TestManyActions(t *testing.T) {
	n := 150
	if os.Getenv("MEMCURATOR_MANY") != "" {
		n = 10_000
	}
	d := newDesk(t, func(d *desk) {
		for i := range n {
			name := fmt.Sprintf("f%02d/n%04d.md", i%50, i)
			d.write(name, name)
			d.age(name, 90*day)
		}
	})
	before := d.tree(true)
	pol := parse(t, "[[rule]]\nmatch = \"**\"\nmax_idle = \"60d\"\n[[rule]]\nmatch = \"f1*/**\"\nexpire = \"archive\"\narchive_to = \"old\"\n")
	plan := d.plan(pol, false)
	begun := time.Now()
	out, err := d.apply().Run(context.Background(), plan.Actions)
	if err != nil || len(out.Done) != n || len(out.Skipped) != 0 {
		t.Fatalf("%v: %d done, %d skipped", err, len(out.Done), len(out.Skipped))
	}
	t.Logf("%d actions in %v", n, time.Since(begun))
	if again, _ := d.plan(pol, false).Changing(); len(again) != 0 {
		t.Errorf("%d actions remain", len(again))
	}
	begun = time.Now()
	d.undo()
	t.Logf("and back in %v", time.Since(begun))
	if d.tree(true) != before {
		t.Error("the undo does not give back what was there")
	}
}
