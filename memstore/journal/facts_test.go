package journal

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
)

// facts are those of the files that are there, by path.
func (d *desk) facts() map[string]past.Fact {
	d.t.Helper()
	m := map[string]past.Fact{}
	d.must(d.j.Facts(context.Background(), func(f past.Fact) bool {
		m[f.Path] = f
		return true
	}))
	return m
}

// clock is a time that a test sets, in hours since a beginning.
type clock struct{ hour int }

var clockBegin = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func at(hour int) time.Time { return clockBegin.Add(time.Duration(hour) * time.Hour) }

func (c *clock) now() time.Time { return at(c.hour) }

// clockDesk is a desk of which journal and store have one clock.
func clockDesk(t *testing.T) (*desk, *clock) {
	d, c := newDesk(t), &clock{}
	d.close()
	d.openAt(c.now)
	return d, c
}

func (d *desk) openAt(now func() time.Time) {
	d.open(Options{Now: now})
	d.store = memstore.New(d.store.Backend(), memstore.Options{Recorders: []memstore.Recorder{d.j}, Overwrite: true, Now: now})
}

func (d *desk) view(path string, times int) {
	for range times {
		d.do(memstore.Command{Name: memstore.CmdView, Path: path})
	}
}

// TestFactsFollowTheLifeOfAFile: through edits, renames of it and of its folder, removal, undo and restore;
// what comes by its name afterwards is another file.
func TestFactsFollowTheLifeOfAFile(t *testing.T) {
	d, c := clockDesk(t)
	d.outside("dir/a.md", "one\n")
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	d.must(os.Chtimes(filepath.Join(d.dir, "dir", "a.md"), old, old))
	d.syncAll()
	want := past.Fact{Path: "/memories/dir/a.md", Kind: memstore.KindFile, Size: 4, Digest: memstore.Sum([]byte("one\n")), FirstSeen: at(0), Changed: old}
	check := func(when string) {
		t.Helper()
		got := d.facts()
		f, ok := got[want.Path]
		same := ok && len(got) == 1 && f.Path == want.Path && f.Size == want.Size && f.Digest == want.Digest && f.FirstSeen.Equal(want.FirstSeen) &&
			f.Changed.Equal(want.Changed) && f.Moved.Equal(want.Moved) && f.Restored.Equal(want.Restored) && f.Used.Equal(want.Used) && f.Uses == want.Uses
		if !same {
			t.Errorf("%s:\n got %+v\nwant %+v\n all %v", when, f, want, got)
		}
	}
	check("at the beginning")
	c.hour = 1
	d.view("/memories/dir/a.md", 2)
	d.view("/memories/dir", 1)
	d.as(memstore.Curator, memstore.Command{Name: memstore.CmdView, Path: "/memories/dir/a.md"})
	want.Used, want.Uses = at(1), 2
	check("viewed")
	c.hour = 2
	d.do(replace("/memories/dir/a.md", "one", "two"))
	want.Digest, want.Changed, want.Used, want.Uses = memstore.Sum([]byte("two\n")), at(2), at(2), 3
	check("written by the agent")
	c.hour = 3
	d.as(memstore.Curator, rename("/memories/dir/a.md", "/memories/dir/b.md"))
	want.Path, want.Moved = "/memories/dir/b.md", at(3)
	check("renamed")
	c.hour = 4
	d.do(rename("/memories/dir", "/memories/else"))
	want.Path, want.Moved = "/memories/else/b.md", at(4)
	check("its folder renamed")
	c.hour = 5
	d.as(memstore.Curator, replace("/memories/else/b.md", "two", "three"))
	before := want
	want.Digest, want.Changed, want.Size = memstore.Sum([]byte("three\n")), at(5), 6
	check("written by the curator")
	c.hour = 6
	d.undo()
	want = before
	want.Changed, want.Restored = at(6), at(6)
	check("the edit undone")
	c.hour = 7
	d.as(memstore.Curator, remove("/memories/else"))
	c.hour = 8
	d.undo()
	want.Moved, want.Used, want.Uses = time.Time{}, time.Time{}, 0
	want.FirstSeen, want.Changed, want.Restored = at(8), at(8), at(8)
	check("the removal undone")
	c.hour = 9
	d.gone("else/b.md")
	d.acceptEmpty()
	c.hour = 10
	d.restore(undo.Restore{Path: "/memories/else/b.md"})
	want.FirstSeen, want.Changed, want.Restored = at(10), at(10), at(10)
	check("restored")
	c.hour = 11
	d.do(remove("/memories/else/b.md"))
	c.hour = 12
	d.do(create("/memories/else/b.md", "two\n"))
	want = past.Fact{Path: want.Path, Kind: want.Kind, Size: 4, Digest: want.Digest, FirstSeen: at(12), Changed: at(12), Used: at(12), Uses: 1}
	check("another one by its name")
}
