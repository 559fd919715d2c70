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
expire = "quarantine"
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
	plan := d.plan(pol, false)
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
	if n, _ := d.plan(pol, false).Changing(); len(n) != 0 {
		t.Errorf("the next plan changes files again: %+v", n)
	}
	d.undo()
	if got := d.tree(undoKeepsTimes); got != before {
		t.Errorf("after the undo:\n%swant:\n%s", got, before)
	}
}

// byClock are rules for stale by one of the clocks: each limit is over for all of its old files, or is soon.
var byClock = map[string]string{
	"ttl":     strings.Replace(threeWays, `max_idle = "60d"`, `ttl = "60d"`, 1),
	"max_age": strings.Replace(threeWays, `max_idle = "60d"`, `max_age = "60d"`, 1),
	"expires": strings.Replace(threeWays, `max_idle = "60d"`, `expires = true`, 1),
}

// An undo of a prune is as if nothing had happened: the next plan proposes the same, so that the user can select fewer. Only max_idle counts
// from the undo where nothing but the access time says when a file was used: an undo doesn't bring that back.
func TestUndoneApplyIsProposedAgain(t *testing.T) {
	for clock, rules := range byClock {
		t.Run(clock, func(t *testing.T) {
			d := stale(t)
			d.write("dated.md", "---\nexpires: 2024-01-31\n---\n")
			d.now = d.now.Add(61 * day)
			pol := parse(t, rules)
			first := d.plan(pol, false)
			want := lines(first)
			if changing, _ := first.Changing(); len(changing) == 0 {
				t.Fatal("nothing is proposed")
			}
			for range 2 { // also once the undo is redone and undone
				_, err := d.apply().Run(context.Background(), d.plan(pol, false).Actions)
				d.must(err)
				d.undo()
				if got := lines(d.plan(pol, false)); got != want {
					t.Errorf("after apply and undo is proposed:\n%swant:\n%s", got, want)
				}
			}
		})
	}
}

// A file restored from the trash is wanted: or it would last only until cron applies again.
func TestARestoredFileIsNotProposedImmediately(t *testing.T) {
	d := stale(t)
	d.write("dated.md", "---\nexpires: 2024-01-31\n---\n")
	d.age("dated.md", 10*day)
	pol := parse(t, threeWays+"[[rule]]\nmatch = \"**\"\nexpires = true\n")
	plan := d.plan(pol, false)
	if changing, _ := plan.Changing(); len(changing) != 6 {
		t.Fatalf("proposed are %d actions, want 6:\n%s", len(changing), lines(plan))
	}
	_, err := d.apply().Run(context.Background(), plan.Actions)
	d.must(err)
	d.now = d.now.Add(time.Hour)
	d.restoreEach()
	again := d.plan(pol, false)
	if changing, _ := again.Changing(); len(changing) != 0 {
		t.Errorf("an hour after the restore is proposed again:\n%s", lines(again))
	}
	d.now = d.now.Add(61 * day)
	later := d.plan(pol, false)
	if changing, _ := later.Changing(); len(changing) < 5 {
		t.Errorf("two months after the restore nothing expires any more:\n%s", lines(later))
	}
}

func TestApplySkipsWhatChanged(t *testing.T) {
	d := stale(t)
	plan := d.plan(parse(t, threeWays), false)
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
	plan := d.plan(parse(t, threeWays), false)
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

func TestApplyNeedsAJournal(t *testing.T) {
	d := stale(t)
	plan := d.plan(parse(t, threeWays), false)
	before := d.tree(true)
	out, err := policy.Apply{Store: d.store}.Run(context.Background(), plan.Actions)
	if !errors.Is(err, policy.ErrNoJournal) || len(out.Left) != 5 || d.tree(true) != before {
		t.Errorf("%v: %+v", err, out)
	}
}

func TestApplyToAStoreThatOnlyReads(t *testing.T) {
	d := stale(t)
	plan := d.plan(parse(t, threeWays), false)
	before := d.tree(true)
	a := policy.Apply{Journal: d.j, Store: memstore.New(d.b, memstore.Options{ReadOnly: true, Recorders: []memstore.Recorder{d.j}})}
	out, err := a.Run(context.Background(), plan.Actions)
	if !errors.Is(err, memstore.ErrReadOnly) || len(out.Left) != 5 || d.tree(true) != before {
		t.Errorf("%v: %+v", err, out)
	}
}

func TestApplyToAStoreThatVanishes(t *testing.T) {
	d := stale(t)
	plan := d.plan(parse(t, threeWays), false)
	a := d.apply()
	gone := d.dir + "-gone"
	a.Report = func(done, _ int) {
		if done == 1 {
			d.must(os.Rename(d.dir, gone))
		}
	}
	out, err := a.Run(context.Background(), plan.Actions)
	if !errors.Is(err, memstore.ErrUnavailable) || len(out.Done) != 1 || len(out.Left) != 4 {
		t.Errorf("%v: %+v", err, out)
	}
	if _, err := os.Stat(d.dir); err == nil {
		t.Error("the store was recreated")
	}
	d.must(os.Rename(gone, d.dir))
	d.undo()
	if n := len(d.plan(parse(t, threeWays), false).Actions); n < 4 {
		t.Errorf("%d actions are left after the store came back", n)
	}
}

// A view by the agent leaves the bytes as they are, but a proposal made because the file was unused no longer holds.
func TestApplySkipsWhatWasUsedSince(t *testing.T) {
	d := stale(t)
	plan := d.plan(parse(t, threeWays), false)
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

// What changed between the look at its stamp and the reading of its bytes is not proposed.
func TestHashLeavesOutWhatMoved(t *testing.T) {
	d := stale(t)
	pol := parse(t, threeWays)
	snap, err := memstore.New(d.b, memstore.Options{}).Scan(context.Background(), nil)
	d.must(err)
	plan := pol.Plan(policy.Input{Snapshot: snap, Now: d.now})
	d.write("a.md", "newer\n")
	d.must(os.Remove(d.dir + "/b.md"))
	d.must(policy.NewReader(d.b).Hash(context.Background(), plan, nil))
	if len(plan.Actions) != 3 || len(plan.Notes) != 1 || plan.Notes[0] != "Skipped 2 files that changed or can't be read" {
		t.Errorf("%d actions, %q", len(plan.Actions), plan.Notes)
	}
}

func TestReaderReadsWhatRulesAskFor(t *testing.T) {
	d := newDesk(t, func(d *desk) {
		for name, data := range map[string]string{
			"yaml.md": "---\ntitle: x\nExpires: 2026-01-01\n---\ntext\n", "toml.md": "+++\nexpires = 2026-01-02\n+++\n",
			"json.md": "{\"expires\": \"2026-01-03T10:00:00Z\"}\ntext\n",
			"none.md": "expires: 2026-01-01\n", "bad.md": "---\nexpires: when the project ends\n---\n", "lines.md": strings.Repeat("x\n", 30) + "y",
		} {
			d.write(name, data)
		}
	})
	d.now = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	p := d.plan(parse(t, "[[rule]]\nmatch = \"**\"\nexpires = true\nmax_file_lines = 30\n"), false)
	want := `delete /memories/yaml.md: front matter says expires: 2026-01-01, 323 days ago
delete /memories/toml.md: front matter says expires: 2026-01-02, 322 days ago
delete /memories/json.md: front matter says expires: 2026-01-03T10:00:00Z, 321 days ago
warn /memories/lines.md: 31 lines, limit 30 per file
`
	if got := lines(p); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	if len(p.Notes) != 1 || p.Notes[0] != "Can't parse the date at expires: in /memories/bad.md" {
		t.Errorf("%q", p.Notes)
	}
}
