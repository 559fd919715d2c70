package policy_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/load"
	"memcurator/memstore/policy"
)

// loadsIndex is what Claude Code loads.
func loadsIndex() load.Rule {
	return load.Rule{Files: []string{"MEMORY.md"}, Lines: 200, Bytes: 25_000, Stripped: true}
}

// Several repairs of one index are one write, and one undo restores it to the byte. The entry of a missing note stays: its text may be all
// that is left of it.
func TestIndexIsFixedAtOnce(t *testing.T) {
	t.Parallel()
	const text = "\xef\xbb\xbf# Index\r\n\r\n- [A](a.md) — x\r\n- [Gone](gone.md) — y\r\n- [Deploy](deplyo.md) — z\r\n\r\nThe end"
	const want = "\xef\xbb\xbf# Index\r\n\r\n- [A](a.md) — x\r\n- [Gone](gone.md) — y\r\n- [Deploy](deploy.md) — z\r\n\r\nThe end\r\n- [b](b.md)\r\n"
	d := newDesk(t, func(d *desk) {
		d.write("MEMORY.md", text)
		d.write("a.md", "About a.\n")
		d.write("b.md", "About b.\n")
		d.write("deplyo.md", "How to deploy.\n")
	})
	agent := memstore.WithOrigin(context.Background(), memstore.Origin{Actor: memstore.Agent})
	if r := d.store.Rename(agent, "/memories/deplyo.md", "/memories/deploy.md"); r.IsError {
		t.Fatal(r.Content)
	}
	before := d.tree(true)
	plan := d.linted("", policy.Input{Suggest: true, Journal: d.j, Load: loadsIndex})
	var fixes []policy.Action
	for _, a := range plan.Actions {
		if a.Do == policy.Fix || a.Do == policy.Link {
			fixes = append(fixes, a)
		}
	}
	if len(fixes) != 2 {
		t.Fatalf("%d proposals:\n%s", len(fixes), rows(plan))
	}
	out, err := d.apply().Run(context.Background(), fixes)
	d.must(err)
	if len(out.Done) != 2 || len(out.Skipped) > 0 {
		t.Errorf("%+v", out)
	}
	data, err := os.ReadFile(filepath.Join(d.dir, "MEMORY.md"))
	d.must(err)
	if string(data) != want {
		t.Errorf("fixed:\n%q, want\n%q", data, want)
	}
	for _, a := range d.linted("", policy.Input{Suggest: true, Journal: d.j, Load: loadsIndex}).Actions {
		if a.Do == policy.Fix || a.Do == policy.Link {
			t.Errorf("still proposed: %s %s", a.Path, a.Reason)
		}
	}
	d.undo()
	if after := d.tree(true); after != before {
		t.Errorf("after the undo:\n%s\nbefore:\n%s", after, before)
	}
}

// An index is held against what its agent loads of it, without a rule.
func TestAnIndexPastWhatItsAgentLoads(t *testing.T) {
	d := newDesk(t, func(d *desk) { d.write("MEMORY.md", strings.Repeat("- a line\n", 230)) })
	var got []string
	for _, a := range d.linted("", policy.Input{Suggest: true, Load: loadsIndex}).Actions {
		got = append(got, string(a.Kind)+" "+a.Reason)
	}
	if want := "load-limit 230 of 200 lines, 114% of what a session loads at start"; strings.Join(got, "; ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}
