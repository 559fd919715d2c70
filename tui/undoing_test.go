package tui

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/tui/edits"
)

// An undo of the last change acts immediately; if something else happened since, it first lists what it will do
// and what stays, and does nothing before a yes.
func TestUndoListsAndAsks(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one\ntwo\nthree\nfour\nfive\nsix\nseven\n", "b.md": "b", "c.md": "c"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.command("delete /memories/b.md")
	d.press("y")
	d.sees("Deleted")
	d.press("esc", "u")
	d.sees("Undid: delete b.md")
	d.lacks("[y] Undo")

	curator := memstore.WithOrigin(t.Context(), memstore.Origin{Actor: memstore.Curator})
	edit := memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: "two", NewStr: "TWO"}
	if r := d.browse().Store.Do(curator, edit); r.IsError {
		t.Fatal(r.Content)
	}
	d.does(memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: "six", NewStr: "SIX"})
	d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/new.md", FileText: "n"})
	d.press("u")
	d.sees("[y] Undo")
	d.sees("rewrite  a.md  +1 −1")
	d.sees("of agent)")
	d.sees("Later changes stay: 2 changes. The newest: ")
	d.sees("create  new.md")
	d.press("n")
	d.lacks("[y] Undo")
	d.holds("a.md", "one\nTWO\nthree\nfour\nfive\nSIX\nseven\n")
	d.press("u")
	d.sees("[y] Undo")
	d.press("y")
	d.sees("Undid: edit a.md")
	d.holds("a.md", "one\ntwo\nthree\nfour\nfive\nSIX\nseven\n")
	d.holds("new.md", "n")
}

// An undo of many files names each of them first, also where it is the last thing that happened.
func TestUndoOfManyFilesAsks(t *testing.T) {
	t.Parallel()
	contents := map[string]string{}
	for i := range edits.UndoneUnasked + 1 {
		contents[fmt.Sprintf("x/%d.md", i)] = "x"
	}
	dir := files(t, contents)
	d := start(t, setup{dir: dir, w: 80, h: 24, theme: dark, journal: t.TempDir()})
	d.press("j", "d", "y")
	d.absent("x")
	d.press("u")
	d.sees("[y] Undo")
	for i := range edits.UndoneUnasked + 1 {
		d.sees(fmt.Sprintf("restore  x/%d.md", i))
	}
	d.absent("x")
	d.press("u") // is no answer
	d.press("y")
	d.sees("Undid: delete 6 files")
	d.holds("x/5.md", "x")
	if strings.Contains(d.screen(), "[y] Undo") {
		t.Error("the question is still there")
	}
}

// When all files of a store are gone the interface says so immediately and writes nothing: a mount may be missing.
func TestAnEmptiedStoreCanOnlyBeLookedAt(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "a"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir(), readOnly: true, emptied: "All files of the store are gone; it held 2 files."})
	d.sees("All files of the store are gone; it held 2 files.")
	d.press("esc")
	for _, key := range []string{"u", "ctrl+r", "d"} {
		d.press(key)
		d.sees("Read-only: all files of this store are gone")
	}
	d.holds("a.md", "a")
}
