package tui

import (
	"slices"
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/theme"
)

// traveller opens a store in which a file was made, edited, and another one deleted.
func traveller(t *testing.T, o theme.Options) *driver {
	t.Helper()
	dir := files(t, map[string]string{"a.md": "one\ntwo\n", "f/old.md": "# Old\n", "z.md": "z\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: o, journal: t.TempDir()})
	d.does(edit("/memories/a.md", "two", "zwei"))
	d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/f/old.md"})
	d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/new.md", FileText: "new\n"})
	d.does(edit("/memories/a.md", "one", "eins"))
	d.arrived(4)
	d.run(d.browse().Select("/memories/a.md", true))
	d.rest()
	return d
}

// consists checks which files the tree is made of.
func (d *driver) consists(want ...string) {
	d.t.Helper()
	var got []string
	d.browse().Files.Snapshot().Walk(func(path string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile {
			got = append(got, strings.TrimPrefix(path, memstore.Root+"/"))
		}
		return true
	})
	if !slices.Equal(got, want) {
		d.t.Errorf("the store holds %q, want %q", got, want)
	}
}

func TestTravelFromTheChangesScreen(t *testing.T) {
	t.Parallel()
	d := traveller(t, dark)
	d.press("2", "G", "t")
	d.sees("PAST  after #1, today")
	d.consists("a.md", "f/old.md", "z.md")
	d.sees("zwei")
	d.lacks("eins")
	if !d.m.stage.shows(keymap.ScreenBrowse) {
		t.Error("it does not show Browse")
	}
	d.press(">")
	d.sees("PAST  after #2,")
	d.sees("agent  delete  f/old.md  +0 −1") // what the step has changed
	d.consists("a.md", "z.md")
	d.press(">", ">")
	d.sees("PAST  after #4,")
	d.consists("a.md", "new.md", "z.md")
	d.sees("eins")
	d.press(">")
	d.sees("newest revision")
	d.press("<", "<", "<", "<")
	d.sees("PAST  before all changes")
	d.sees("two")
	d.press("<")
	d.sees("oldest revision")
	d.press("esc")
	d.lacks("PAST")
	if !d.m.stage.shows(keymap.ScreenChanges) {
		t.Error("esc does not lead back to where the journey began")
	}
}

// The place is kept, edits made meanwhile are recorded, and there on the way back.
func TestTravelComesBackToItsPlace(t *testing.T) {
	t.Parallel()
	d := traveller(t, dark)
	d.press("enter", "j", "j")
	_, cursor, _ := d.browse().View.Lines()
	d.command("at 1")
	d.sees("PAST  after #1,")
	d.does(edit("/memories/z.md", "z", "later"))
	d.until("the edit has arrived", func() bool { return len(d.m.feed.Revisions()) == 5 })
	d.press("esc")
	d.run(d.browse().Select("/memories/z.md", true))
	d.rest()
	d.lacks("later")
	d.press("t")
	d.lacks("PAST")
	d.sees("eins")
	if path, _ := d.browse().Tree.Selected(); path != "/memories/a.md" {
		t.Errorf("the tree is on %s", path)
	}
	if _, now, _ := d.browse().View.Lines(); now != cursor || d.m.stage.focus != onDetail {
		t.Errorf("line %d, was %d; focus %d", now, cursor, d.m.stage.focus)
	}
	d.press("esc", "j")
	d.run(d.browse().Select("/memories/z.md", true))
	d.sees("later")
}

// All tabs show the past file, and its changes until then.
func TestTabsInThePast(t *testing.T) {
	t.Parallel()
	d := traveller(t, dark)
	d.command("at 1")
	d.sees("zwei")
	d.press("]")
	d.sees("+zwei")
	d.press("]")
	d.sees("#1")
	d.lacks("#4")
	d.press("]")
	d.sees("- ")
	d.sees("│ zwei")
	d.lacks("eins")
	d.press("]")
	d.sees("[rendered]")
	d.sees("zwei")
	d.press(">", ">", ">")
	d.sees("PAST  after #4,")
	d.sees("eins")
}

func TestGoldenPast(t *testing.T) {
	t.Parallel()
	d := traveller(t, dark)
	d.command("at 1")
	d.does(edit("/memories/z.md", "z", "later"))
	d.until("the edit has arrived", func() bool { return len(d.m.feed.Revisions()) == 5 })
	d.m.say.forget()
	d.goldens("past")
	d.resizes()
}

// R in the past restores the file under the cursor as of then, and u undoes it in the present. Nothing of the present is drawn in the past.
func TestAFileOfThePastIsRestored(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "a\n", "b.md": "b\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: t.TempDir()})
	d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/a.md"})
	d.write("b.md", "more\n")
	d.arrived(2)
	d.press("1", "g", "R")
	d.sees("R needs a version. ] opens the history")
	d.command("at #0")
	d.sees("PAST  before all changes")
	d.press("j")
	d.sees("R restore file")
	d.lacks(" live ━")
	d.lacks(" live ─")
	d.browse().Tree.Select("/memories/a.md")
	d.press("R")
	d.sees("Restored: ")
	d.lacks("u undoes")
	d.holds("a.md", "a\n")
	d.holds("b.md", "more\n")
	d.press("u")
	d.sees("Can't edit the store as of #0. t returns")
	d.press("t", "u")
	d.absent("a.md")
	d.press("ctrl+r")
	d.holds("a.md", "a\n")
	d.command("at #0")
	d.sees("PAST  before all changes")
	d.browse().Tree.Select("/memories/b.md")
	d.press("R")
	d.holds("b.md", "b\n")
	d.press("R")
	d.sees("Already at this version")
	d.press("t")
	d.lacks("PAST")
}

// The past refuses what would change the present out of sight: undo, redo and revert, by key, by name and in the menu.
func TestThePastRefusesUndoRedoAndRevert(t *testing.T) {
	t.Parallel()
	d := traveller(t, dark)
	d.press("2")
	d.m.changes.Revisions().Select(4)
	d.press("r")
	d.holds("a.md", "one\nzwei\n")
	d.press("1")
	d.command("at #4")
	d.sees("PAST  after #4,")
	const refused = "Can't edit the store as of #4. t returns"
	refuses := func(what string) {
		t.Helper()
		if msg, ok := d.m.say.current(); !ok || msg.text != refused {
			t.Errorf("%s: %q", what, msg.text)
		}
		d.m.say.forget()
	}
	for _, key := range []string{"u", "ctrl+r"} {
		d.press(key)
		refuses(key)
	}
	for _, line := range []string{"undo", "redo", "revert"} {
		d.command(line)
		refuses(line)
	}
	d.press("tab", "]")
	d.sees("[diff]")
	d.lacks("r revert")
	d.press("r")
	refuses("r in the diff")
	for _, id := range []keymap.ID{keymap.Undo, keymap.Redo, keymap.Revert, keymap.RevertHunk} {
		if d.m.runs(id) {
			t.Errorf("the menu lists %s", id)
		}
	}
	d.holds("a.md", "one\nzwei\n")
	d.press("2")
	d.m.say.forget()
	d.lacks("PAST")
	d.press("u") // this screen shows the present
	d.sees(": rewrote a.md. ctrl+r redoes")
	d.holds("a.md", "eins\nzwei\n")
	d.press("G", "t") // to the revision under the cursor, and back to this list
	d.sees("PAST  after #1,")
	d.press("t")
	d.lacks("PAST")
	if !d.m.stage.shows(keymap.ScreenChanges) {
		t.Error("t does not lead back to where the journey went on")
	}
}
