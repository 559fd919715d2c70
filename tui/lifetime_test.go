package tui

import (
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/memtest/dbtest"
	"memcurator/memstore/programs"
)

// openStore opens a directory, or the memory of another program.
func openStore(path string) (memstore.Backend, error) {
	if a, ok := programs.Of(path); ok {
		return adapt.Open(a, path)
	}
	return memstore.OpenDir(path, memstore.DirOptions{})
}

// startCCMemory opens a database of cc-memory with the records of the sample.
func startCCMemory(t *testing.T, w, h int) *driver {
	t.Helper()
	now := time.Now()
	file := filepath.Join(t.TempDir(), "memory.db")
	if err := dbtest.WriteCCMemory(file, now, false); err != nil {
		t.Fatal(err)
	}
	late := now.Sub(time.Date(2026, 11, 21, 12, 4, 11, 0, time.UTC)) // the adapter looks at the real clock
	return start(t, setup{dir: file, w: w, h: h, theme: dark, journal: t.TempDir(), late: late})
}

// How long an item of working memory has left is counted down in the tree, and told by i.
func TestItemsShowWhatTheyHaveLeft(t *testing.T) {
	t.Parallel()
	d := startCCMemory(t, 120, 35)
	d.browse().Tree.Select("/memories/working/scratch/sum.md")
	d.sees("19m")
	d.press("i")
	d.sees("m left")
}
