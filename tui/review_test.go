package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
)

func edit(path, from, to string) memstore.Command {
	return memstore.Command{Name: memstore.CmdStrReplace, Path: path, OldStr: from, NewStr: to}
}

// A change is read when the user went to it, or approved it, not before.
func TestUnreadGoesOneByOne(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one two three\n", "b.md": "b\n", "c.md": "c\n"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark})
	d.press("j")
	for _, c := range []memstore.Command{edit("/memories/a.md", "one", "1"), edit("/memories/a.md", "two", "2"), edit("/memories/a.md", "three", "3")} {
		d.does(c)
	}
	d.unread(3)
	d.press("j", "j", "k", "k") // walking the tree is not reading
	d.unread(3)
	d.press(".")
	d.sees("#1 ")
	d.unread(2)
	d.press(".")
	d.sees("#2 ")
	d.press(".")
	d.sees("#3 ")
	d.unread(0)
	d.press(".")
	d.sees("All read. " + d.m.env.Keyed("{global/follow} follows the agent"))
	d.press(",") // back to what was read before
	d.sees("#2 ")
	d.press(",", "a")
	d.sees("#1 ")
	d.sees("Already read. . goes to the next unread change")
	d.unread(0)
	d.does(edit("/memories/b.md", "b", "B"))
	d.unread(1)
	d.opens("/memories/b.md") // without the diff
	d.unread(1)
	d.press("a")
	d.sees("Approved ")
	d.unread(0)
}

// With --read-only the user only looks: what they go to stays unread.
func TestLookingReadOnlyLeavesChangesUnread(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one two\n"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, readOnly: true})
	d.does(edit("/memories/a.md", "one", "1"))
	d.does(edit("/memories/a.md", "two", "2"))
	d.unread(2)
	d.press(".")
	d.sees("#1 ")
	d.press(".")
	d.sees("#2 ")
	d.press("a")
	d.sees("Read-only: changes stay unread")
	d.unread(2)
}

// A diff is read when the user goes to it or opens it, and not because it was on the screen.
func TestADiffIsReadByAKey(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one two three four\n", "b.md": "b\n"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir()})
	for _, c := range []memstore.Command{edit("/memories/a.md", "one", "1"), edit("/memories/b.md", "b", "B"), edit("/memories/a.md", "two", "2"), edit("/memories/a.md", "three", "3")} {
		d.does(c)
	}
	d.arrived(4)
	unread := func(want ...int64) {
		t.Helper()
		var got []int64
		for _, r := range d.m.feed.Unread() {
			got = append(got, r.Rev)
		}
		if !slices.Equal(got, want) {
			t.Errorf("unread are %v, want %v", got, want)
		}
	}
	d.press(".")
	d.sees("#1 ")
	unread(2, 3, 4)
	d.press("2", "g", "j", "j")
	d.sees("#2") // only passed
	unread(2, 3, 4)
	d.press("enter")
	unread(3, 4)
	d.press("1", "F")
	d.does(edit("/memories/b.md", "B", "bee"))
	d.sees("+bee") // followed, maybe with no one there
	unread(3, 4, 5)
	d.press("F", ".", ".", ".", ".")
	d.sees("All read")
	unread()
}

// F goes to the newest change of others: not to what the user did after it.
func TestOwnActsAreNotFollowed(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "a\n", "b.md": "bee\n"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.does(edit("/memories/b.md", "bee", "wasp"))
	d.arrived(1)
	d.chooses("/memories/a.md")
	d.press("d", "y")
	d.arrived(2)
	d.press("F")
	d.sees("+wasp")
}

// The unread change of a file that was deleted is shown.
func TestNextUnreadOfADeletedFile(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"notes/a.md": "a\n", "notes/b.md": "b\n", "notes/c.md": "c\n"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark})
	d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/notes/b.md"})
	d.until("the tree shows that it is gone", func() bool { return d.m.store.Snapshot.Find("/memories/notes/b.md") == nil })
	d.unread(1)
	d.press(".")
	d.sees("-b")
	if path, _ := d.browse().Tree.Selected(); path != "/memories/notes" {
		t.Errorf("the cursor is on %s", path)
	}
}

func TestRenameKeepsThePlaceInTheFile(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": strings.Repeat("row\n", 300)})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark})
	d.press("j", "enter")
	d.command("200")
	place := d.browse().View.Place()
	if err := os.Rename(filepath.Join(dir, "a.md"), filepath.Join(dir, "q.md")); err != nil {
		t.Fatal(err)
	}
	d.sees("q.md 200/301")
	if d.browse().View.Place() != place {
		t.Errorf("the cursor went from %s to %s", place, d.browse().View.Place())
	}
}

// Approving everything in Changes takes the marks from the tree of Browse, too.
func TestApproveAllClearsTheTree(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n", "b.md": "b\n"}), w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.write("a.md", "A\n")
	d.write("b.md", "B\n")
	d.unread(2)
	mark := d.m.env.Styles.Glyphs.Unread
	d.sees(mark + "    a.md")
	d.press("2", "ctrl+a", "a", "1")
	d.until("the tree has no mark", func() bool { return !strings.Contains(d.screen(), mark) })
}

// A reverted change needs no review, until the revert is undone.
func TestAnUndoneRevertIsUnreadAgain(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\n"}), w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.does(edit("/memories/a.md", "one", "two"))
	d.unread(1)
	d.press("2", "r")
	d.unread(0)
	d.press("r")
	d.sees("Reverted already")
	d.press("u")
	d.unread(1)
}

// The daily review: the next unread change has the focus, and r reverts it, from the tree too.
func TestReviewReverts(t *testing.T) {
	t.Parallel()
	for _, at := range []struct {
		w, h   int
		screen string
	}{{80, 24, "1"}, {40, 12, "1"}, {80, 24, "2"}, {40, 12, "2"}} {
		dir := files(t, map[string]string{"a.md": "one two\n"})
		d := start(t, setup{dir: dir, w: at.w, h: at.h, theme: dark, journal: t.TempDir()})
		d.does(edit("/memories/a.md", "one", "1"))
		d.arrived(1)
		d.press(at.screen, ".")
		d.sees("+1 two")
		d.until("it is read", func() bool { return len(d.m.feed.Unread()) == 0 })
		d.press("r")
		d.until("the change is reverted", func() bool { return d.read("a.md") == "one two\n" })
	}
	dir := files(t, map[string]string{"a.md": "one two\n"})
	d := start(t, setup{dir: dir, w: 80, h: 24, theme: dark, journal: t.TempDir()})
	d.does(edit("/memories/a.md", "one", "1"))
	d.arrived(1)
	d.sees("a approve")
	d.press(".", "esc")
	d.until("it is read", func() bool { return len(d.m.feed.Unread()) == 0 })
	d.lacks("a approve")
	d.press("r") // in the tree, which shows no change
	d.sees("r does nothing here")
	d.holds("a.md", "1 two\n")
	d.press("tab", "r")
	d.until("the change is reverted", func() bool { return d.read("a.md") == "one two\n" })
}
