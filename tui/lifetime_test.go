package tui

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/adapt/ccmemory"
	"memcurator/memstore/memtest/cctest"
	"memcurator/memstore/past"
	"memcurator/memstore/programs"
)

// openStore opens a directory, or the memory of another program.
func openStore(path string) (memstore.Backend, error) {
	if a, ok := programs.Of(path); ok {
		s, err := adapt.Open(a, path)
		if err != nil {
			return nil, err
		}
		if db, ok := s.Source().(*ccmemory.Source); ok {
			db.BackUpTo(func() string { return path + ".before" })
		}
		return s, nil
	}
	return memstore.OpenDir(path, memstore.DirOptions{})
}

// startCCMemory opens a database of cc-memory with the records of the sample, and of working memory only those that are named here.
func startCCMemory(t *testing.T, w, h int, more func(*cctest.Memory, time.Time)) *driver {
	t.Helper()
	now := time.Now()
	m := cctest.Sample(now)
	if more != nil {
		more(&m, now)
	}
	file := filepath.Join(t.TempDir(), "memory.db")
	m.Write(t, file)
	late := now.Sub(time.Date(2026, 11, 21, 12, 4, 11, 0, time.UTC)) // the adapter looks at the real clock
	return start(t, setup{dir: file, w: w, h: h, theme: dark, journal: t.TempDir(), late: late})
}

// How long an item of working memory has left is counted down in the tree, and changed by :ttl, each time an edit of the user that an undo
// reverts.
func TestItemsAreKeptLongerAndForGood(t *testing.T) {
	t.Parallel()
	d := startCCMemory(t, 120, 35, nil)
	const sum = "/memories/working/scratch/sum.md"
	d.browse().Tree.Select(sum)
	d.sees("19m")
	d.command("ttl 15m")
	d.sees("working/scratch/sum.md expires today ")
	d.sees("u undoes")
	d.sees("14m")
	d.press("i")
	d.sees("m left")
	d.press("esc")
	d.command("ttl keep")
	d.sees("Keeps working/scratch/sum.md for good")
	d.command("ttl keep")
	d.sees("Can't change how long to keep working/scratch/sum.md: it is kept for good already")
	d.command("ttl 2h")
	d.sees("1h59m")
	d.press("u", "u")
	d.sees("14m")
	d.command("ttl soon")
	d.sees("Can't keep the note for soon: say how long: 2h, 3d, 2026-12-31")

	list, err := past.Revisions(t.Context(), d.m.options.Journal, past.Filter{Path: sum})
	if err != nil || len(list) < 4 {
		t.Fatalf("%d revisions, %v", len(list), err)
	}
	for _, r := range list {
		if r.Actor == "external" {
			t.Errorf("the journal takes our edit for another's: %+v", r)
		}
	}

	d.browse().Tree.Select("/memories/semantic/config/connection pool.md")
	d.command("ttl 2h")
	d.sees("The program keeps this for good")
	d.browse().Tree.Select("/memories/working/scratch")
	d.command("ttl 2h")
	d.sees("3 notes expire today")
	d.press("u")
	d.sees("Undid")
}

// The time left goes on by itself until the item has expired.
func TestTheTimeLeftTicks(t *testing.T) {
	t.Parallel()
	d := startCCMemory(t, 80, 24, func(m *cctest.Memory, now time.Time) {
		for i := range m.Working {
			if m.Working[i].Key == "sum" {
				m.Working[i].Metadata.Expires = now.Add(30 * time.Second).UnixMilli()
			}
		}
	})
	d.browse().Tree.Select("/memories/working/scratch/sum.md")
	row := func() string {
		for line := range strings.SplitSeq(d.screen(), "\n") {
			if strings.Contains(line, "sum.md  ") {
				return line
			}
		}
		return ""
	}
	for _, s := range d.m.travel.Screens() {
		s.Env.Now = func() time.Time { return time.Now() }
	}
	d.m.env.Now = time.Now
	was := row()
	d.until("the time left changes", func() bool { return row() != was })
	d.m.env.Now = func() time.Time { return time.Now().Add(time.Minute) }
	d.until("it has expired", func() bool { return strings.Contains(row(), "expired") })
}

// A note of a directory that says when it expires takes :ttl, too; any other says why not.
func TestNotesWithAnEndAreKeptLonger(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "---\ntitle: a\nexpires: 2026-11-21 14:00\n---\ntext\n", "b.md": "b\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: t.TempDir(), rules: "[[rule]]\nmatch = [\"**\"]\nexpires = true\n"})
	d.browse().Tree.Select("/memories/a.md")
	d.sees("1h55m")
	d.command("ttl 4h")
	d.sees("a.md expires today 16:04. u undoes")
	d.sees("4h00m")
	if got := d.read("a.md"); got != "---\ntitle: a\nexpires: 2026-11-21T16:04:11Z\n---\ntext\n" {
		t.Errorf("%q", got)
	}
	d.command("ttl keep")
	d.sees("Keeps a.md for good")
	if got := d.read("a.md"); !strings.Contains(got, "\nexpires: never\n") {
		t.Errorf("%q", got)
	}
	d.press("u", "u")
	if got := d.read("a.md"); !strings.Contains(got, "\nexpires: 2026-11-21 14:00\n") {
		t.Errorf("%q", got)
	}
	d.browse().Tree.Select("/memories/b.md")
	d.command("ttl 4h")
	d.sees("Can't change how long to keep b.md: no expires: in its front matter, so nothing ends its life")
}
