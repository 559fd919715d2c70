package journal

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/past"
)

// A copy is whole, for its owner only, made once a day, and the one before it goes.
func TestCopiesAreVerifiedAndReplaced(t *testing.T) {
	d := newDesk(t)
	now := time.Now().Truncate(time.Second)
	d.j.options.Now = func() time.Time { return now }
	d.do(create("/memories/a.md", "a note\n"))
	file, draft := filepath.Join(d.state, copyName), filepath.Join(d.state, draftName)
	keep := func(want time.Time) {
		t.Helper()
		d.must(d.j.keepCopy(context.Background()))
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 || !info.ModTime().Equal(want) {
			t.Errorf("the copy: %v, %v", info, err)
		}
	}
	first := now
	keep(first)
	now = now.Add(time.Hour)
	keep(first)
	d.must(os.WriteFile(draft, nil, 0o600))
	d.must(os.Chtimes(draft, time.Time{}, time.Now().Add(-2*time.Hour)))
	now = now.Add(24 * time.Hour)
	keep(now)
	if _, err := os.Lstat(draft); err == nil {
		t.Error("what a killed process has left of a copy is there still")
	}
	if removed, err := RemoveCopies(d.state); err != nil || !removed {
		t.Errorf("removed %v, %v", removed, err)
	}
	if _, ok := LastCopy(context.Background(), d.state); ok {
		t.Error("the copy is there still")
	}
}

// What the copy has is repaired from it, and what came later is found on the disk.
func TestRepairTakesTheCopyAndTheDisk(t *testing.T) {
	t.Parallel()
	for name, spoil := range damages {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			_, err := d.j.Sync(context.Background(), past.Hints{Unseen: true})
			d.must(err)
			for _, n := range []string{"a", "b", "c"} {
				d.do(create("/memories/"+n+".md", n+"\n"))
			}
			d.must(d.j.Copy(context.Background()))
			d.do(create("/memories/later.md", "later\n"))
			d.close()
			spoil(d)
			r, ok := LastCopy(context.Background(), d.state)
			if !ok || r.Last != 3 {
				t.Fatalf("copy %+v %v", r, ok)
			}
			_, err = Repair(d.state, true)
			d.must(err)
			d.open(Options{})
			_, err = d.j.Sync(context.Background(), past.Hints{Unseen: true})
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
