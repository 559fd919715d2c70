package tui

import (
	"path/filepath"
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
	d.sees("working/scratch/sum.md expires ")
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
	d.sees("3 notes expire ")
	d.press("u")
	d.sees("Undid")
}
