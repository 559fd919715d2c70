package policy_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore/policy"
)

// An index and links follow what an apply deletes, archives and merges, and one undo restores all of it.
func TestApplyKeepsIndexInStep(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(d *desk) {
		d.write("MEMORY.md", "# Index\r\n- [Old](old.md) — x\r\n- [A](a.md) — y\r\n- [New](new.md) — z\r\n- [Empty](empty.md)\r\n- [Bug](bug.md) — b\r\n")
		d.write("a.md", "See [old](old.md) and [[bug]].\n")
		d.write("old.md", "An old plan.\n")
		d.age("old.md", 100*24*time.Hour)
		d.write("new.md", prose(20, "pier"))
		d.write("bug.md", prose(20, "pier")+"Ask Ana about the timetable of the winter.\n")
		d.age("bug.md", 48*time.Hour)
		d.write("empty.md", " \n")
	})
	before := d.tree(true)
	plan := d.suggested(loadsIndex)
	apply := d.apply()
	apply.InStep = true
	changing, _ := plan.Changing()
	out, err := apply.Run(context.Background(), changing)
	d.must(err)
	if len(out.Done) != 3 || len(out.Followed) != 2 || len(out.LeftBehind) > 0 {
		t.Errorf("done %d, followed %d, left %d:\n%s", len(out.Done), len(out.Followed), len(out.LeftBehind), rows(plan))
	}
	for name, want := range map[string]string{
		"MEMORY.md": "# Index\r\n- [A](a.md) — y\r\n- [New](new.md) — z\r\n",
		"a.md":      "See [old](archive/old.md) and [[new]].\n",
	} {
		data, err := os.ReadFile(filepath.Join(d.dir, name))
		d.must(err)
		if string(data) != want {
			t.Errorf("%s: %q, want %q", name, data, want)
		}
	}
	d.undo()
	if after := d.tree(true); after != before {
		t.Errorf("after the undo:\n%s\nbefore:\n%s", after, before)
	}
	apply.InStep = false
	for _, a := range d.suggested(loadsIndex).Actions {
		if a.Do == policy.Delete {
			if out, err = apply.Run(context.Background(), []policy.Action{a}); err != nil || len(out.Followed) > 0 {
				t.Errorf("%+v, %v", out, err)
			}
		}
	}
}

// The index that lists a note lists its new parts when it is split, so that the next plan has no mend of it, and one undo reverts both.
func TestASplitListsItsParts(t *testing.T) {
	t.Parallel()
	frost := ""
	for n := range 18 {
		frost += fmt.Sprintf("From %d December ice closes quay %d.\n", n+1, n*3)
	}
	d := newDesk(t, func(d *desk) {
		d.write("MEMORY.md", "# Index\n- [Berths](berths.md) — all berths\n- [Zinc](zinc.md)\n")
		d.write("berths.md", "# Berths\n"+prose(19, "pier")+"\n## Winter berths\n"+frost)
		d.write("zinc.md", "# Zinc\nAlloys.\n")
	})
	before := d.tree(true)
	const limited = loadsIndex + "[[rule]]\nmatch = [\"berths.md\"]\nmax_file_lines = 30\n"
	apply := d.apply()
	apply.InStep = true
	changing, _ := d.suggested(limited).Changing()
	out, err := apply.Run(context.Background(), changing)
	d.must(err)
	if len(out.Done) != 1 || out.Done[0].Do != policy.Split || len(out.Followed) != 1 || out.Followed[0].Entries != 1 {
		t.Fatalf("%+v", out)
	}
	data, err := os.ReadFile(filepath.Join(d.dir, "MEMORY.md"))
	d.must(err)
	if want := "# Index\n- [Berths](berths.md) — all berths\n- [Winter berths](berths-2.md)\n- [Zinc](zinc.md)\n"; string(data) != want {
		t.Errorf("MEMORY.md: %q, want %q", data, want)
	}
	if next := d.suggested(limited); len(next.Actions) > 0 {
		t.Errorf("the next plan proposes\n%s", rows(next))
	}
	d.undo()
	if after := d.tree(true); after != before {
		t.Errorf("after the undo:\n%s\nbefore:\n%s", after, before)
	}
}
