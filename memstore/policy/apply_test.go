package policy_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/policy"
)

const threeWays = `
[[rule]]
match = "**"
max_idle = "60d"
[[rule]]
match = "keep/**"
expire = "archive"
archive_to = "archive"
[[rule]]
match = "odd.md"
expire = "delete"
[[rule]]
match = "pinned.md"
pin = true
`

// stale is a store in which everything but new.md is old.
func stale(t testing.TB) *desk {
	files := map[string]string{"a.md": "a\n", "b.md": "b\n", "keep/c.md": "c\n", "keep/deep/d.md": "d\n", "odd.md": "\xff\x00",
		"pinned.md": "p\n"}
	return newDesk(t, func(d *desk) {
		for name, data := range files {
			d.write(name, data)
			d.age(name, 100*day)
		}
		d.write("new.md", "n\n")
	})
}

// undoKeepsTimes: the journal puts modification times back.
const undoKeepsTimes = true

func TestApplyAndUndo(t *testing.T) {
	d := stale(t)
	pol := parse(t, threeWays)
	before := d.tree(undoKeepsTimes)
	plan := d.plan(pol)
	var reported []int
	a := d.apply()
	a.Report = func(done, total int) { reported = append(reported, done, total) }
	out, err := a.Run(context.Background(), plan.Actions)
	if err != nil || len(out.Done) != 5 || len(out.Skipped) != 0 || out.Bytes != 10 || len(reported) != 10 || reported[8] != 5 ||
		reported[9] != 5 {
		t.Fatalf("%v: %+v, reported %v", err, out, reported)
	}
	after := d.tree(false)
	for _, want := range []string{"/archive/keep/c.md ", "/archive/keep/deep/d.md ", "/new.md ", "/pinned.md "} {
		if !strings.Contains(after, want) {
			t.Errorf("%q is missing in:\n%s", want, after)
		}
	}
	if n, _ := d.plan(pol).Changing(); len(n) != 0 {
		t.Errorf("the next plan changes files again: %+v", n)
	}
	d.undo()
	if got := d.tree(undoKeepsTimes); got != before {
		t.Errorf("after the undo:\n%swant:\n%s", got, before)
	}
}

// A file restored from the trash is wanted: or it would last only until cron applies again.
func TestARestoredFileIsNotProposedImmediately(t *testing.T) {
	d := stale(t)
	pol := parse(t, threeWays)
	plan := d.plan(pol)
	if changing, _ := plan.Changing(); len(changing) != 5 {
		t.Fatalf("proposed are %d actions, want 5:\n%s", len(changing), lines(plan))
	}
	_, err := d.apply().Run(context.Background(), plan.Actions)
	d.must(err)
	d.now = d.now.Add(time.Hour)
	d.restoreEach()
	again := d.plan(pol)
	if changing, _ := again.Changing(); len(changing) != 0 {
		t.Errorf("an hour after the restore is proposed again:\n%s", lines(again))
	}
	d.now = d.now.Add(61 * day)
	later := d.plan(pol)
	if changing, _ := later.Changing(); len(changing) < 5 {
		t.Errorf("two months after the restore nothing expires any more:\n%s", lines(later))
	}
}

func TestApplySkipsWhatChanged(t *testing.T) {
	d := stale(t)
	plan := d.plan(parse(t, threeWays))
	d.write("a.md", "the agent was quicker\n")
	d.must(os.Remove(d.dir + "/b.md"))
	d.write("archive/keep/c.md", "taken\n")
	out, err := d.apply().Run(context.Background(), plan.Actions)
	if err != nil || len(out.Done) != 2 || len(out.Skipped) != 3 {
		t.Fatalf("%v: %+v", err, out)
	}
	for _, s := range out.Skipped {
		want := map[string]error{"/memories/a.md": memstore.ErrChanged, "/memories/b.md": memstore.ErrNotExist,
			"/memories/keep/c.md": memstore.ErrExist}[s.Path]
		if !errors.Is(s.Why, want) {
			t.Errorf("%s: %v, want %v", s.Path, s.Why, want)
		}
	}
	if data, err := os.ReadFile(d.dir + "/a.md"); err != nil || string(data) != "the agent was quicker\n" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestApplyStopsBetweenActions(t *testing.T) {
	d := stale(t)
	plan := d.plan(parse(t, threeWays))
	before := d.tree(undoKeepsTimes)
	ctx, stop := context.WithCancel(context.Background())
	a := d.apply()
	a.Report = func(done, _ int) {
		if done == 2 {
			stop()
		}
	}
	out, err := a.Run(ctx, plan.Actions)
	if !errors.Is(err, context.Canceled) || len(out.Done) != 2 || len(out.Left) != 3 {
		t.Fatalf("%v: %+v", err, out)
	}
	d.undo()
	if got := d.tree(undoKeepsTimes); got != before {
		t.Errorf("after the undo:\n%swant:\n%s", got, before)
	}
}

// A view by the agent leaves the bytes as they are, but a proposal made because the file was unused no longer holds.
func TestApplySkipsWhatWasUsedSince(t *testing.T) {
	d := stale(t)
	plan := d.plan(parse(t, threeWays))
	agent := memstore.WithOrigin(context.Background(), memstore.Origin{Actor: memstore.Agent})
	if r := d.store.View(agent, "/memories/a.md", nil); r.IsError {
		t.Fatal(r.Content)
	}
	out, err := d.apply().Run(context.Background(), plan.Actions)
	if err != nil || len(out.Done) != 4 || len(out.Skipped) != 1 || out.Skipped[0].Path != "/memories/a.md" ||
		!errors.Is(out.Skipped[0].Why, policy.ErrUsed) {
		t.Errorf("%v: %+v", err, out)
	}
}
