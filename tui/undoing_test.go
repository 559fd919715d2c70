package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/tui/act"
)

// An undo of the last change acts immediately; if something else happened since, it first lists what it will do
// and what stays, and does nothing before a yes.
func TestUndoListsAndAsks(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one\ntwo\nthree\nfour\nfive\nsix\nseven\n", "b.md": "b", "c.md": "c"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.chooses("/memories/b.md")
	d.press("d", "y")
	d.sees("Deleted")
	d.press("esc", "u")
	d.sees(": brought back b.md")
	d.lacks("[y/enter] Undo")

	d.curates(edit("/memories/a.md", "two", "TWO"))
	d.does(memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: "six", NewStr: "SIX"})
	d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/new.md", FileText: "n"})
	d.press("u")
	d.sees("[y/enter] Undo")
	d.sees("rewrite  a.md  +1 −1")
	d.sees("(keeps later edits)")
	d.press("n")
	d.lacks("[y/enter] Undo")
	d.holds("a.md", "one\nTWO\nthree\nfour\nfive\nSIX\nseven\n")
	d.press("u")
	d.sees("[y/enter] Undo")
	d.press("y")
	d.sees(": rewrote a.md")
	d.holds("a.md", "one\ntwo\nthree\nfour\nfive\nSIX\nseven\n")
	d.holds("new.md", "n")
}

// An undo of acts since the start runs at once, however many files it restores; one that reaches an earlier start names each.
func TestUndoAsksAboutAnEarlierStart(t *testing.T) {
	t.Parallel()
	contents := map[string]string{}
	for i := range 6 {
		contents[fmt.Sprintf("x/%d.md", i)] = "x"
	}
	dir, state := files(t, contents), t.TempDir()
	first := start(t, setup{dir: dir, w: 80, h: 24, theme: dark, journal: state})
	first.press("j", "d", "y")
	first.absent("x")
	first.press("u")
	first.sees(": brought back 6 files. ctrl+r redoes")
	first.holds("x/5.md", "x")
	first.press("ctrl+r")
	first.absent("x")
	first.leaves()

	d := start(t, setup{dir: dir, w: 80, h: 24, theme: dark, journal: state, late: time.Hour})
	d.press("u")
	d.sees(", today ")
	for i := range 6 {
		d.sees(fmt.Sprintf("restore  x/%d.md", i))
	}
	d.absent("x")
	d.press("u") // not an answer
	d.press("y")
	d.sees(": brought back 6 files")
	d.holds("x/5.md", "x")
	if strings.Contains(d.screen(), "[y/enter] Undo") {
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

// Once files are back, or their loss was recorded, the store is opened anew and can be changed.
func TestAnEmptiedStoreIsOpenedAnewOnceSettled(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "a"})
	stores := listed()
	d := &driver{}
	stores.fake().open = func(ctx context.Context, _ StoreChoice) (Opened, error) {
		return d.open(ctx, setup{dir: dir, theme: dark, journal: t.TempDir()}), nil
	}
	if err := os.Remove(filepath.Join(dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	*d = *start(t, setup{dir: dir, w: 110, h: 30, theme: dark, readOnly: true, emptied: "It held 2 files.", stores: stores})
	d.sees("FILES GONE")
	d.sees("Record that they were deleted?")
	d.write("a.md", "a")
	d.until("the banner is gone", func() bool { return !strings.Contains(d.screen(), "FILES GONE") })
	d.lacks("READ-ONLY")
}

// A folder that is deleted while it is open can be created again, and its files restored, without a shell.
func TestADeletedFolderIsRestored(t *testing.T) {
	t.Parallel()
	contents := map[string]string{"a.md": "a", "b.md": "b", "c.md": "c", "d.md": "d", "e.md": "e"}
	dir, stores, state := files(t, contents), listed(), t.TempDir()
	d := &driver{}
	stores.fake().open = func(ctx context.Context, c StoreChoice) (Opened, error) {
		s := setup{dir: dir, theme: dark, journal: state, stores: stores}
		if c.Create {
			s.readOnly, s.emptied = true, "It held 5 files"
			if err := os.Mkdir(dir, 0o700); err != nil {
				return Opened{}, err
			}
		}
		return d.open(ctx, s), nil
	}
	*d = *start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: state, stores: stores})
	d.until("the journal has the files", func() bool { return d.m.compared && !d.m.env.Jobs.Running(act.OwnerCompare) })
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	d.sees("FOLDER UNAVAILABLE")
	d.press("!")
	d.sees("Create the folder again?")
	d.press("y")
	d.sees("Record that they were deleted?")
	d.press("y")
	d.sees("5 FILES DELETED")
	d.press("!")
	d.sees(": brought back 5 files")
	for name, content := range contents {
		d.holds(name, content)
	}
}

// An undo that can't do all says what it does, too.
func TestAnUndoInPartListsWhatItDoes(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a", "b.md": "b", "c.md": "c"}), w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.chooses("/memories/b.md")
	d.press("space", "space", "d", "y")
	d.sees("Deleted")
	d.write("b.md", "other")
	d.press("esc", "u")
	d.sees("skip 1?")
	d.sees("restore  c.md")
	d.press("y")
	d.sees("Undid part of delete of 2 files: brought back c.md")
	d.holds("b.md", "other")
}
