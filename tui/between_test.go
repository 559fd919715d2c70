package tui

import (
	"testing"

	"memcurator/memstore"
)

// tale is a store with a history: 1 a.md made, 2 edited, 3 b.md made, 4 a.md edited, 5 c.md deleted.
func tale(t *testing.T, w, h int) *driver {
	dir := files(t, map[string]string{"c.md": "c\n", "still.md": "still\n"})
	d := start(t, setup{dir: dir, w: w, h: h, theme: dark, journal: t.TempDir()})
	d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/a.md", FileText: "one\ntwo\n"})
	d.does(memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: "two", NewStr: "zwei"})
	d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/b.md", FileText: "b\n"})
	d.does(memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: "one", NewStr: "eins"})
	d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/c.md"})
	d.arrived(5)
	d.agrees()
	return d
}

func TestAnyTwoPointsAreCompared(t *testing.T) {
	t.Parallel()
	d := tale(t, 110, 30)
	d.command("diff-at 1 now")
	d.sees("#1 → #5: 3 paths")
	d.sees("changed  a.md")
	d.sees("new      b.md")
	d.sees("gone     c.md")
	d.sees("zwei")
	d.sees("eins")
	d.golden("between-110x30")
	d.press("r")
	d.sees("Differences between two points")
	d.press("R")
	d.sees("Restored a.md as of #1. u undoes")
	d.holds("a.md", "one\ntwo\n")
	d.press("j", "j", "R")
	d.holds("c.md", "c\n")
	d.press("f")
	d.types("b.md")
	d.press("enter")
	d.lacks("gone     c.md")
	d.press("esc")
	d.sees("gone     c.md")
	d.press("esc")
	d.lacks("#1 → #5")
	d.sees("create")
	d.command("diff-at 5 5")
	d.sees("No differences between these two points")
	d.command("diff-at 900")
	d.sees("No revision #900")
	d.command("diff-at 2026-01-01 12:00 1h")
	d.sees("No differences")
	d.command("diff-at")
	d.sees("diff-at takes two points")
}

func TestTwoMarkedRevisionsAreCompared(t *testing.T) {
	t.Parallel()
	d := tale(t, 110, 30)
	d.press("2", "g", "V")
	d.sees("Comparing from #1. V on another revision compares")
	d.press("G", "V")
	d.sees("#1 → #5: 3 paths")
	d.press("2")
	d.sees("str_replace")
	d.press("V")
	d.sees("✓")
	d.press("V")
	d.lacks("✓")
	d.press("1")
	d.browse().Tree.Select("/memories/a.md")
	d.press("enter", "]", "]")
	d.sees("str_replace")
	d.press("g", "V", "G", "V")
	d.sees("/memories/a.md after #1 → /memories/a.md after #4")
	d.sees("eins")
	d.sees("zwei")
}
