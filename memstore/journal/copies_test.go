package journal

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/backup"
)

// A copy is whole, for its owner only, and the one before it goes.
func TestCopiesAreVerifiedAndReplaced(t *testing.T) {
	d := newDesk(t)
	now := time.Now()
	d.j.options.Now = func() time.Time { return now }
	d.do(create("/memories/a.md", "a note\n"))
	d.must(d.j.Copies().Daily(context.Background()))
	first := backup.In(d.state)
	if len(first) != 1 || !first[0].Time.Equal(now.Truncate(time.Second)) {
		t.Fatalf("copies: %+v", first)
	}
	if info, err := os.Stat(filepath.Join(d.state, first[0].Name)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy: %v %v", info, err)
	}
	d.must(d.j.Copies().Daily(context.Background()))
	if got := backup.In(d.state); len(got) != 1 || got[0] != first[0] {
		t.Errorf("a second one within a day: %+v", got)
	}
	now = now.Add(25 * time.Hour)
	draft := backup.DraftPath(d.state, "1-killed")
	d.must(os.WriteFile(draft, nil, 0o600))
	d.must(os.Chtimes(draft, time.Time{}, time.Now().Add(-2*time.Hour)))
	d.must(d.j.Copies().Daily(context.Background()))
	if got := backup.In(d.state); len(got) != 1 || got[0] == first[0] {
		t.Errorf("a day later: %+v", got)
	}
	if _, err := os.Lstat(draft); err == nil {
		t.Error("what a killed process has left of a copy is there still")
	}
	removed, err := d.j.Copies().Remove()
	d.must(err)
	if len(removed) != 1 || len(backup.In(d.state)) != 0 {
		t.Errorf("removed %v, left %v", removed, backup.In(d.state))
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
			if !ok || r.Last != 3 || r.Had < 4 {
				t.Fatalf("remedy %+v %v", r, ok)
			}
			_, last, err := Repair(context.Background(), d.state, r)
			d.must(err)
			d.open(Options{})
			_, err = d.j.Reconcile(context.Background(), nil)
			d.must(err)
			list := d.story()
			by := "external"
			if last == 4 {
				by = "agent"
			}
			if len(list) < 4 || list[0] != "agent create /memories/a.md" || !strings.HasPrefix(list[3], by+" create /memories/later.md") {
				t.Errorf("the past is %q", list)
			}
			if readable := strings.HasSuffix(name, "of an index") || name == "an older one"; readable != (last == 4) || r.Read != last {
				t.Errorf("repaired up to %d, and %d was promised", last, r.Read)
			}
			report, err := d.j.Check(context.Background())
			if err != nil || !report.OK() {
				t.Errorf("%+v %v", report, err)
			}
		})
	}
}

// What a damaged journal has beyond its copy is carried over while it can be read: revisions with makers, contents and groups,
// an undo, and an edit whose process has died before it was settled.
func TestRepairCarriesOverWhatCanBeRead(t *testing.T) {
	d := newDesk(t)
	d.reconcile()
	text := strings.Repeat("a line of some length\n", 200)
	d.do(create("/memories/a.md", text))
	d.must(d.j.Copies().Make(context.Background()))
	d.do(replace("/memories/a.md", text, text+"more\n"))
	d.do(create("/memories/f/b.md", "b\n"))
	d.do(create("/memories/f/c.md", "c\n"))
	d.do(remove("/memories/f"))
	before := d.story()
	d.j.Flush()
	store := memstore.New(d.j.options.Backend, memstore.Options{Recorders: []memstore.Recorder{unsettled{d}}, Overwrite: true})
	if r := store.Do(context.Background(), create("/memories/open.md", "open\n")); r.IsError {
		t.Fatal(r.Content)
	}
	d.close()
	damages["root of an index"](d)
	r, ok := FindRemedy(context.Background(), d.state)
	if !ok || r.Last != 1 || r.Read != int64(len(before)) {
		t.Fatalf("remedy %+v %v", r, ok)
	}
	if _, last, err := Repair(context.Background(), d.state, r); err != nil || last != r.Read {
		t.Fatalf("up to %d: %v", last, err)
	}
	d.open(Options{})
	d.reconcile()
	if got, want := d.story(), append(before, "agent create /memories/open.md"); !slices.Equal(got, want) {
		t.Errorf("the past is\n%q, want\n%q", got, want)
	}
	if rep := d.check(); !rep.OK() {
		t.Errorf("%+v", rep)
	}
	list := d.revisions()
	if last := list[len(before)-1]; last.Group == 0 || last.Group != list[len(before)-2].Group {
		t.Errorf("the removal is not a group any more: %+v", last)
	}
}
