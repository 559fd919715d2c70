package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/render/theme"
)

var dark = theme.Options{Dark: true}

func TestFirstScreen(t *testing.T) {
	t.Parallel()
	for name, size := range map[string][2]int{
		"first-120x35": {120, 35}, "first-80x24": {80, 24}, "first-40x12": {40, 12},
	} {
		t.Run(name, func(t *testing.T) {
			start(t, setup{dir: store(t, "demo"), w: size[0], h: size[1], theme: dark}).golden(name)
		})
	}
}

func TestFirstScreenInASCII(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 80, h: 24, theme: theme.Options{NoColor: true, ASCII: true}})
	d.golden("first-80x24-ascii")
	rows, _ := d.m.frame()
	for _, row := range rows {
		if strings.Contains(row, "\x1b[38") || strings.Contains(row, "\x1b[48") {
			t.Fatalf("a color under NO_COLOR: %q", row)
		}
	}
}

// The documentation's own example, as the agent gets it.
func TestCustomerServiceExample(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "customer-service"), w: 120, h: 35, theme: dark})
	for _, row := range []string{
		"Here're the files and directories up to 2 levels deep in /memories",
		"4.0K    /memories", "1.5K    /memories/customer_service_guidelines.xml", "2.0K    /memories/refund_policies.xml",
	} {
		d.sees(row)
	}
	d.press("j")
	d.sees("Here's the content of /memories/customer_service_guidelines.xml with")
	d.sees("     1  <guidelines>")
	d.sees("     4  - Use empathetic language")
	d.golden("customer-service-view")
}

func TestOpenFileAndComeBack(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 120, h: 35, theme: dark})
	d.press("j", "j", "enter")
	d.sees("     1  #")
	if d.m.stage.focus != onDetail {
		t.Fatal("enter did not move the focus into the view")
	}
	d.press("G")
	d.golden("file-at-its-end-120x35")
	d.press("esc")
	if d.m.stage.focus != onList {
		t.Fatal("esc did not come back to the tree")
	}
	d.press("q")
	if !d.quit {
		t.Fatal("q did not leave")
	}
}

func TestSinglePaneFollowsTheFocus(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 40, h: 12, theme: dark})
	d.press("j", "j", "enter")
	d.lacks("tree")
	d.golden("file-40x12")
	d.press("esc")
	d.sees("tree")
}

func TestAgentEditIsShownAsItIsMade(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"prefs.md": "# Preferences\n- tabs\n- colour: blue\n", "other.md": "x\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark})
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/prefs.md", OldStr: "blue", NewStr: "green"})
	d.sees("agent    str_replace prefs.md")
	d.unread(1)
	d.golden("agent-edit-strip")
	d.press(".")
	d.sees("-- colour: blue")
	d.sees("+- colour: green")
	d.golden("agent-edit-diff")
	d.unread(0)
	d.press("[")
	d.sees("     3  - colour: green")
}

func TestExternalEditKeepsThePlace(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line\n", 200)
	dir := files(t, map[string]string{"a.md": long, "b.md": "b\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark})
	d.press("j", "enter", "G", "k", "k")
	place := d.browse().View.Place()
	d.write("a.md", long+"added\n")
	d.arrived(1)
	d.sees("external edit")
	if got, _, _ := strings.Cut(d.browse().View.Place(), "/"); got != strings.Split(place, "/")[0] {
		t.Errorf("the cursor went from %s to %s", place, d.browse().View.Place())
	}
	d.press("G", "k")
	d.sees("   201  added")
}

func TestEveryChangeStaysOpenToLookAt(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark})
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/a.md", OldStr: "one", NewStr: "two"})
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/a.md", OldStr: "two", NewStr: "three"})
	d.does(memstore.Command{Name: "delete", Path: "/memories/a.md"})
	d.arrived(3)
	d.press(":live", "g", "enter")
	d.sees("-one")
	d.sees("+two")
	d.press("<")
	d.sees("No more changes")
	d.press(">")
	d.sees("+three")
	d.press(">")
	d.sees("-three")
	d.sees("delete")
}

func TestRenameIsFollowed(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "text\n", "z.md": "z\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark})
	d.press("j")
	if err := os.Rename(filepath.Join(dir, "a.md"), filepath.Join(dir, "m.md")); err != nil {
		t.Fatal(err)
	}
	d.sees("content of /memories/m.md")
	if path, _ := d.browse().Tree.Selected(); path != "/memories/m.md" {
		t.Errorf("the cursor is on %s", path)
	}
	d.sees("rename      a.md → m.md")
}

func TestStoreGoesAwayAndComesBack(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "text\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark})
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	d.sees("FOLDER GONE")
	d.sees("a.md")
	if len(d.m.feed.Revisions()) != 0 {
		t.Errorf("%d changes were made up", len(d.m.feed.Revisions()))
	}
	d.command("view /memories/a.md")
	d.sees("Error: The memory directory is not available")
	d.press("esc")
	if err := os.Rename(dir+".away", dir); err != nil {
		t.Fatal(err)
	}
	d.sees("● live")
	if len(d.m.feed.Revisions()) != 0 {
		t.Errorf("%d changes were made up", len(d.m.feed.Revisions()))
	}
}

// A folder has no diff of its own: the tab says what to choose.
func TestTheDiffTabOfAFolder(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n", "old/b.md": "b\n"}), w: 100, h: 24, theme: dark, journal: t.TempDir()})
	d.press("g", "]")
	d.sees("Choose a file to see its last change")
	d.press("G")
	d.sees("No recorded change of this file")
}
