package tui

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/browse"
)

func TestMarkedFilesAreDeletedAsOne(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "12345", "b.md": "1234567", "c/d.md": "d", "z.md": "z"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.press("j", "space", "space", "space", "d") // c/, a.md, b.md
	d.sees("/memories/c  the folder with 1 file, 1B")
	d.sees("3 files, 13B in all")
	d.golden("delete-110x30")
	d.press("n")
	d.holds("a.md", "12345")
	d.press("d")
	d.write("a.md", "written while the question was open")
	d.until("the change is there", func() bool { return len(d.m.feed.Unread()) == 1 })
	d.press("y")
	d.sees("Deleted 2 files; 1 skipped, a.md: it changed meanwhile. u undoes")
	d.holds("a.md", "written while the question was open")
	d.absent("b.md")
	d.absent("c")
	d.press("u")
	d.sees(": brought back 2 files")
	d.holds("c/d.md", "d")
	d.holds("b.md", "1234567")
}

func TestFilesAreRenamedAndMoved(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a b.md": "a", "b.md": "b", "c/d.md": "d", "c/b.md": "another"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.browse().Tree.Select("/memories/a b.md")
	d.press("m")
	d.sees(`:move "/memories/a b.md"`)
	d.press("ctrl+u")
	d.types("n/a.md")
	d.press("enter")
	d.sees("Renamed a b.md to n/a.md. u undoes")
	d.press("u")
	d.sees(": moved n/a.md back to a b.md")
	d.holds("a b.md", "a")
	d.arrived(3)
	d.until("the tree lists it again", func() bool {
		return d.browse().Files.Node("/memories/a b.md") != nil && d.browse().Files.Node("/memories/n") == nil
	})
	d.browse().Tree.Select("/memories/a b.md")
	d.press("space", "space", "m") // a b.md, b.md
	d.sees(":move /memories/")
	d.types("c")
	d.press("enter")
	d.sees("Move 2 files to c/?")
	d.golden("move-110x30")
	d.press("y")
	d.sees("Moved 1 file; 1 skipped, b.md: the name is taken")
	d.holds("c/a b.md", "a")
	d.holds("b.md", "b")
	d.press("u")
	d.holds("a b.md", "a")
	d.press("esc")
	d.chooses("/memories/c") // a folder, whole
	d.command("move b.md")
	d.sees("b.md exists already")
	d.press("esc")
	d.command("move e/f")
	d.sees("Renamed c to e/f. u undoes")
	d.holds("e/f/d.md", "d")
}

func TestWithoutAJournalNothingIsDeletedUnlessThatWasChosen(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "a"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark})
	d.press("j", "d")
	d.sees("This can't be undone")
	d.press("n")
	d.m.edits.NoJournal = "it is damaged"
	for _, press := range []func(){
		func() { d.press("d") }, func() { d.press("m") }, func() { d.command("move /memories/b.md") },
	} {
		d.m.say.forget()
		press()
		d.sees("No journal, so deleting is off: it is damaged")
		d.lacks("[y/enter] Delete")
	}
	d.press("u")
	d.sees("No journal: it is damaged")
	d.holds("a.md", "a")
}

// The record of an encrypted store is in memory, and good for the session.
func TestARecordInMemoryUndoesUntilTheEnd(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a", "b.md": "b"}), w: 120, h: 30, theme: dark, session: true})
	d.press("j", "d")
	d.sees("u undoes")
	d.press("y")
	d.sees("Deleted a.md")
	d.absent("a.md")
	d.press("5")
	d.sees("a.md")
	d.press("1", "u")
	d.sees(": brought back a.md")
	d.holds("a.md", "a")
	d.press("2")
	d.press("G", "t")
	d.sees("PAST  before all changes")
	d.consists("a.md", "b.md")
	d.press("esc", "1")
	d.chooses("/memories/a.md")
	d.press("enter", "]", "]")
	d.sees("undo")
}

func TestARevisionIsRevertedWholeOrByHunk(t *testing.T) {
	t.Parallel()
	body := numbered(40)
	dir := files(t, map[string]string{"a.md": body})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: t.TempDir()})
	two := "first\n" + body[len(numbered(1)):] + "last\n"
	d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/b.md", FileText: "b\n"})
	d.write("a.md", two)
	d.unread(2)
	d.press("2", "g")
	d.sees("+first")
	d.press("enter", "r") // the cursor is on the first hunk
	d.sees(": rewrote a.md. u undoes")
	d.holds("a.md", body+"last\n")
	d.sees("@@  reverted")
	d.sees("hunk reverted") // its row
	d.press("r")
	d.sees("This hunk is already reverted")
	d.press("esc", "j", "k")
	d.sees("1 hunk reverted")
	d.press("enter", "u")
	d.sees(": rewrote a.md. ctrl+r redoes")
	d.holds("a.md", two)
	d.m.changes.Revisions().Select(2)
	d.rest()
	d.press("esc", "r") // the whole of it, in the list
	d.holds("a.md", body)
	d.m.changes.Revisions().Select(2)
	d.rest()
	d.press("R")
	d.sees("Restored: rewrote a.md. u undoes")
	d.holds("a.md", two)
	d.m.changes.Revisions().Select(1)
	d.rest()
	d.press("r")
	d.sees("b.md. u undoes")
	d.absent("b.md")
	d.press("u")
	d.holds("b.md", "b\n")
}

// Later changes are kept, three-way; the history and the diff tab have the same keys.
func TestRevertKeepsLaterChanges(t *testing.T) {
	t.Parallel()
	body := numbered(30)
	dir := files(t, map[string]string{"a.md": body})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: t.TempDir()})
	d.press("j")
	d.write("a.md", "first\n"+body)
	d.unread(1)
	d.press("]")
	d.sees("+first")
	d.write("a.md", "first\n"+body+"last\n")
	d.sees("+last")
	d.press("tab", "]")
	d.sees("#2")
	d.browse().OpenHistory().Select(1)
	d.press("enter") // the diff tab stays with it
	d.sees("+first")
	d.press(":revert")
	d.sees("later edits kept")
	d.holds("a.md", body+"last\n")
	d.press("]")
	d.sees("#3")
	d.browse().OpenHistory().Select(2)
	d.press("r") // in the history
	d.holds("a.md", body)
}

func TestTrashRestores(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"c/d.md": "d", "c/e/f.md": "f", "a.md": "a"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: t.TempDir()})
	d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/c"})
	d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/a.md"})
	d.until("the changes are there", func() bool { return len(d.m.feed.Unread()) >= 4 })
	d.press("5")
	trash := d.m.trash.Revisions()
	list, err := past.Revisions(t.Context(), d.m.options.Journal, past.Filter{Path: "/memories/c", Newest: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.Path == "/memories/c" && !trash.Select(r.Rev) {
			t.Fatalf("the folder is not in the trash: %+v", list)
		}
	}
	d.rest()
	d.press("R")
	d.sees("Restored: ")
	d.holds("c/d.md", "d")
	d.holds("c/e/f.md", "f")
	d.until("only a.md remains", func() bool { r, ok := trash.Selected(); return ok && r.Path == "/memories/a.md" })
	d.write("a.md", "another")
	d.until("it is recorded", func() bool { // after the next act, that would not be the last thing that happened
		list, err := past.Revisions(t.Context(), d.m.options.Journal, past.Filter{Path: "/memories/a.md", Newest: true, Limit: 1})
		return err == nil && len(list) == 1 && list[0].Shape == past.Made && d.browse().Files.Node("/memories/a.md") != nil
	})
	d.until("the trash is empty", func() bool { _, ok := trash.Selected(); return !ok })
	d.press("2")
	d.until("the deletion is listed", func() bool { return d.m.changes.Revisions().Select(5) })
	d.press("R")
	d.sees("Restore anyway?")
	d.press("n")
	d.holds("a.md", "another")
}

// The history of a file goes on before its renames, and those of the folders above it.
func TestHistoryFollowsRenames(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"old/n.md": "one\n"}), w: 120, h: 30, theme: dark, journal: t.TempDir()})
	d.does(memstore.Command{Name: memstore.CmdRename, OldPath: "/memories/old", NewPath: "/memories/new"})
	d.does(edit("/memories/new/n.md", "one", "two"))
	d.does(memstore.Command{Name: memstore.CmdRename, OldPath: "/memories/new/n.md", NewPath: "/memories/new/z.md"})
	d.arrived(3)
	d.run(d.browse().Select("/memories/new/z.md", true))
	showTab(browse.History)(d)
	d.sees("#1  ")
	d.sees("#2  ")
	d.sees("new/z.md 1/3")
}

func TestMassDeletionIsAnAlarmWithOneKey(t *testing.T) {
	t.Parallel()
	contents := map[string]string{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		contents["x/"+name+".md"] = name
	}
	contents["keep.md"] = "k"
	state, dir := t.TempDir(), files(t, contents)
	folder := filepath.Join(dir, "x")
	if err := os.Chmod(folder, 0o750); err != nil {
		t.Fatal(err)
	}
	was, err := os.Stat(folder)
	if err != nil {
		t.Fatal(err)
	}
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state, prefer: Preferences{Bell: true}})
	d.until("the beginning is recorded", func() bool {
		known := 0
		err := d.m.options.Journal.Facts(t.Context(), func(past.Fact) bool { known++; return true })
		return err == nil && known >= len(contents)
	})
	d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/x/a.md"})
	d.unread(1)
	d.lacks("gone")
	for _, name := range slices.Sorted(maps.Keys(contents)) { // by name, so that they are reported in this order at any speed
		if strings.HasPrefix(name, "x/") && name != "x/a.md" {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	d.sees("FILES DELETED")
	d.until("all of it is told", func() bool { return len(d.m.alarm.lost) == 7 })
	d.sees("7 files deleted or emptied at once") // not the one that the agent deleted
	d.golden("alarm-120x35")
	if !d.rang {
		t.Error("the bell does not ring")
	}
	d.resize(40, 12)
	d.sees("FILES DELETED")
	d.resize(120, 35)
	d.press("2", "k", "k") // looking does not end it
	d.sees("FILES DELETED")

	again := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state})
	again.sees("FILES DELETED") // nor does a restart
	again.command("at 1")       // no alarm hides that this is the past
	again.sees("PAST  after #1,")
	again.lacks("FILES DELETED")
	again.press("t")
	again.sees("FILES DELETED")
	again.press("!")
	again.sees(": brought back 7 files")
	again.holds("x/h.md", "h")
	if now, err := os.Stat(folder); err != nil || now.Mode() != was.Mode() {
		t.Errorf("the folder has the mode %v, %v; it had %v", now.Mode(), err, was.Mode())
	}
	again.until("the alarm has ended", func() bool { return len(again.m.alarm.lost) == 0 })
	again.press("u")
	again.absent("x/h.md") // without a question: the revert is of this start
	again.press("ctrl+r")
	again.holds("x/b.md", "b")
	again.press("!")
}
