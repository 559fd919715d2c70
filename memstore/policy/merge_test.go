package policy_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
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
		_, err := d.j.Reconcile(context.Background(), nil)
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

// An undone merge is proposed again with the same text: the lines that the undo removed were not removed by anyone.
func TestAMergeAfterItsUndoLosesNoText(t *testing.T) {
	const ana = "Ask Ana about the winter timetable.\n"
	d, a := alikeNotes(t, ana, "", nil)
	for range 2 {
		if a.Do != policy.Merge {
			t.Fatalf("%s: %s", a.Do, a.Reason)
		}
		if out, err := d.apply().Run(context.Background(), []policy.Action{*a}); err != nil || len(out.Done) != 1 {
			t.Fatalf("%v, %+v", err, out)
		}
		data, err := os.ReadFile(filepath.Join(d.dir, "new.md"))
		d.must(err)
		if !strings.Contains(string(data), ana) {
			t.Fatalf("merged:\n%s", data)
		}
		d.undo()
		a = duplicateOf(t, d)
	}
}

// What is applied is what was shown, also where the journal has learned since that a line was removed; with other bytes it is skipped.
func TestAMergeWritesWhatWasShown(t *testing.T) {
	const ana = "Ask Ana about the winter timetable.\n"
	d, a := alikeNotes(t, ana, "", nil)
	shown, err := a.Texts(context.Background(), d.b)
	d.must(err)
	before := prose(20, "pier")
	for _, text := range []string{before + ana, before} {
		d.write("new.md", text)
		_, err := d.j.Reconcile(context.Background(), nil)
		d.must(err)
	}
	if out, err := d.apply().Run(context.Background(), []policy.Action{*a}); err != nil || len(out.Done) != 1 {
		t.Fatalf("%v, %+v", err, out)
	}
	data, err := os.ReadFile(filepath.Join(d.dir, "new.md"))
	d.must(err)
	if string(data) != string(shown[0].After) || !strings.Contains(string(data), ana) {
		t.Errorf("written:\n%s", data)
	}
	d.undo()
	d.write("new.md", before+"Something else.\n")
	out, err := d.apply().Run(context.Background(), []policy.Action{*a})
	d.must(err)
	if len(out.Skipped) != 1 || !errors.Is(out.Skipped[0].Why, memstore.ErrChanged) {
		t.Errorf("%+v", out)
	}
}

// A line that came to the older note after it was removed from the newer one is news.
func TestMergeAddsWhatWasWrittenAfterwards(t *testing.T) {
	const gate = "The gate code is on the board.\n"
	d, a := alikeNotes(t, "", gate, func(d *desk) {
		d.write("new.md", prose(20, "pier"))
		_, err := d.j.Reconcile(context.Background(), nil)
		d.must(err)
		d.write("new.md", prose(20, "pier")+"Ask Ana about the winter timetable.\n")
		d.write("old.md", prose(20, "pier")+gate)
		d.age("old.md", 48*time.Hour)
	})
	if a.Do != policy.Merge {
		t.Fatalf("%s: %s", a.Do, a.Reason)
	}
	texts, err := a.Texts(context.Background(), d.b)
	d.must(err)
	if !strings.Contains(string(texts[0].After), gate) || len(texts[1].LeftOut) > 0 {
		t.Errorf("merged:\n%s", texts[0].After)
	}
}

// Where two notes contradict and nothing says which is right, the user decides.
func TestContradictingNotesAreNotMerged(t *testing.T) {
	for older, newer := range map[string]string{
		"Second reminder after 28 days.\n": "Second reminder after 21 days.\n",
		"- deadline: Monday\n":             "- Deadline: end of the second week of March\n",
	} {
		d, a := alikeNotes(t, older, newer, nil)
		if a.Do != policy.Review || !a.Compares() || !strings.HasPrefix(a.Reason, "1 line reworded; ") {
			t.Errorf("%s: %s", a.Do, a.Reason)
			continue
		}
		texts, err := a.Texts(context.Background(), d.b)
		d.must(err)
		if got := string(texts[0].After); !strings.Contains(got, older) || !strings.Contains(got, newer) {
			t.Errorf("the text to edit lacks a side:\n%s", got)
		}
	}
}
