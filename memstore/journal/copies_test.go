package journal

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A copy is whole, for its owner only, and the one before it goes.
func TestCopiesAreVerifiedAndReplaced(t *testing.T) {
	d := newDesk(t)
	now := time.Now()
	d.j.options.Now = func() time.Time { return now }
	d.do(create("/memories/a.md", "a note\n"))
	d.must(d.j.Copies().Daily(context.Background()))
	first := listCopies(d.state)
	if len(first) != 1 || !first[0].Time.Equal(now.Truncate(time.Second)) {
		t.Fatalf("copies: %+v", first)
	}
	if info, err := os.Stat(filepath.Join(d.state, first[0].Name)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy: %v %v", info, err)
	}
	d.must(d.j.Copies().Daily(context.Background()))
	if got := listCopies(d.state); len(got) != 1 || got[0] != first[0] {
		t.Errorf("a second one within a day: %+v", got)
	}
	now = now.Add(25 * time.Hour)
	draft := draftPath(d.state, "1-killed")
	d.must(os.WriteFile(draft, nil, 0o600))
	d.must(os.Chtimes(draft, time.Time{}, time.Now().Add(-2*time.Hour)))
	d.must(d.j.Copies().Daily(context.Background()))
	if got := listCopies(d.state); len(got) != 1 || got[0] == first[0] {
		t.Errorf("a day later: %+v", got)
	}
	if _, err := os.Lstat(draft); err == nil {
		t.Error("what a killed process has left of a copy is there still")
	}
	removed, err := d.j.Copies().Remove()
	d.must(err)
	if len(removed) != 1 || len(listCopies(d.state)) != 0 {
		t.Errorf("removed %v, left %v", removed, listCopies(d.state))
	}
}

// What the copy has is repaired from it, and what came later is found on the disk.
func TestRepairTakesTheCopyAndTheDisk(t *testing.T) {
	t.Parallel()
	for name, spoil := range damages {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			_, err := d.j.Reconcile(context.Background(), nil)
			d.must(err)
			for _, n := range []string{"a", "b", "c"} {
				d.do(create("/memories/"+n+".md", n+"\n"))
			}
			d.must(d.j.Copies().Make(context.Background()))
			d.do(create("/memories/later.md", "later\n"))
			d.close()
			spoil(d)
			r, ok := FindRemedy(context.Background(), d.state)
			if !ok || r.Last != 3 {
				t.Fatalf("remedy %+v %v", r, ok)
			}
			_, err = Repair(context.Background(), d.state, r)
			d.must(err)
			d.open(Options{})
			_, err = d.j.Reconcile(context.Background(), nil)
			d.must(err)
			list := d.story()
			if len(list) < 4 || list[0] != "agent create /memories/a.md" || !strings.HasPrefix(list[3], "external create /memories/later.md") {
				t.Errorf("the past is %q", list)
			}
			report, err := d.j.Check(context.Background())
			if err != nil || !report.OK() {
				t.Errorf("%+v %v", report, err)
			}
		})
	}
}
