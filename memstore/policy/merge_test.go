package policy_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/past"
	"memcurator/memstore/policy"
)

// alikeNotes has two notes that say nearly the same; then edits change them, and the suggestion for the older one is returned.
func alikeNotes(t *testing.T, older, newer string, edits func(d *desk)) (*desk, *policy.Action) {
	t.Helper()
	d := newDesk(t, func(d *desk) {
		d.write("old.md", prose(20, "pier")+older)
		d.age("old.md", 48*time.Hour)
		d.write("new.md", prose(20, "pier")+newer)
		d.age("new.md", 24*time.Hour)
	})
	if edits != nil {
		edits(d)
		_, err := d.j.Sync(context.Background(), past.Hints{Unseen: true})
		d.must(err)
	}
	return d, duplicateOf(t, d)
}

// duplicateOf is the suggestion for old.md.
func duplicateOf(t *testing.T, d *desk) *policy.Action {
	t.Helper()
	plan := d.suggested("")
	for i := range plan.Actions {
		if a := &plan.Actions[i]; a.Kind == policy.Duplicate && a.Path == "/memories/old.md" {
			return a
		}
	}
	t.Fatalf("nothing is suggested:\n%s", rows(plan))
	return nil
}

// A line that was replaced in the newer note does not come back by a merge with an older one that still has it.
func TestMergeLeavesOutWhatWasRemoved(t *testing.T) {
	const reminder, ana = "Second reminder after 28 days.\n", "Ask Ana about the winter timetable.\n"
	replace := func(d *desk) { d.write("new.md", prose(20, "pier")+"Second reminder after 21 days.\n") }
	d, a := alikeNotes(t, reminder+ana, reminder, replace)
	if a.Do != policy.Merge || !strings.HasPrefix(a.Reason, "leaves out 1 removed line; ") {
		t.Fatalf("%s: %s", a.Do, a.Reason)
	}
	texts, err := a.Texts(context.Background(), d.b)
	d.must(err)
	if got := string(texts[0].After); strings.Contains(got, "28 days") || !strings.Contains(got, "21 days") || !strings.Contains(got, ana) {
		t.Errorf("merged:\n%s", got[len(prose(20, "pier")):])
	}
	if out := texts[1].LeftOut; len(out) != 1 || string(out[0]) != reminder {
		t.Errorf("left out: %q", out)
	}
	if out, err := d.apply().Run(context.Background(), []policy.Action{*a}); err != nil || len(out.Done) != 1 {
		t.Fatalf("%v, %+v", err, out)
	}
	data, err := os.ReadFile(filepath.Join(d.dir, "new.md"))
	d.must(err)
	if string(data) != string(texts[0].After) {
		t.Errorf("written:\n%s", data)
	}
	d.undo()

	_, a = alikeNotes(t, reminder, reminder, replace) // nothing of it would be added
	if a.Do != policy.Delete {
		t.Errorf("%s: %s", a.Do, a.Reason)
	}
}
