package policy_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore/policy"
)

// An index and links follow what an apply deletes and archives, and one undo restores all of it.
func TestApplyKeepsIndexInStep(t *testing.T) {
	t.Parallel()
	d := newDesk(t, func(d *desk) {
		d.write("MEMORY.md", "# Index\r\n- [Old](old.md) — x\r\n- [A](a.md) — y\r\n- [New](new.md) — z\r\n- [Bug](bug-old.md) — b\r\n")
		d.write("a.md", "See [old](old.md) and [[new]] or [[bug-old]].\n")
		d.write("old.md", "An old plan.\n")
		d.age("old.md", 100*24*time.Hour)
		d.write("new.md", prose(20, "pier"))
		d.write("bug-old.md", prose(20, "pier"))
		d.age("bug-old.md", 48*time.Hour)
	})
	before := d.tree(true)
	plan := d.linted("[[rule]]\nmatch = \"old.md\"\nmax_idle = \"90d\"\nexpire = \"archive\"\narchive_to = \"archive\"\n",
		policy.Input{Suggest: true, Journal: d.j, Load: loadsIndex})
	apply := d.apply()
	changing, _ := plan.Changing()
	out, err := apply.Run(context.Background(), changing)
	d.must(err)
	if len(out.Done) != 2 || len(out.Followed) != 2 || len(out.LeftBehind) > 0 {
		t.Errorf("done %d, followed %d, left %d:\n%s", len(out.Done), len(out.Followed), len(out.LeftBehind), rows(plan))
	}
	for name, want := range map[string]string{
		"MEMORY.md": "# Index\r\n- [Old](archive/old.md) — x\r\n- [A](a.md) — y\r\n- [New](new.md) — z\r\n",
		"a.md":      "See [old](archive/old.md) and [[new]] or [[new]].\n",
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
}
