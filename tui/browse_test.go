package tui

import (
	"os"
	"slices"
	"testing"

	"memcurator/memstore"
	"memcurator/render/theme"
)

var dark = theme.Options{Dark: true}

func TestFirstScreen(t *testing.T) {
	t.Parallel()
	for _, size := range screenSizes {
		start(t, setup{dir: store(t, "demo"), w: size.w, h: size.h, theme: dark}).golden("first-" + size.name)
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

func TestAgentEditIsShownAsItIsMade(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"prefs.md": "# Preferences\n- tabs\n- colour: blue\n", "other.md": "x\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark})
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/prefs.md", OldStr: "blue", NewStr: "green"})
	d.unread(1)
	d.press(".")
	d.sees("-- colour: blue")
	d.sees("+- colour: green")
	d.golden("agent-edit-diff")
	d.unread(0)
	d.press("[")
	d.sees("     3  - colour: green")
}

func TestStoreGoesAwayAndComesBack(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "text\n"})
	state := t.TempDir()
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark, scrub: scrubbingIn(t, state, dir)})
	d.press("6")
	d.sees("No secrets in 1 file")
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	d.sees("FOLDER UNAVAILABLE")
	d.lacks("No secrets")
	d.press("1")
	if err := os.Mkdir(dir, 0o700); err != nil { // as a mount point without its disk
		t.Fatal(err)
	}
	d.sees("FOLDER UNAVAILABLE  its files are gone")
	d.sees("a.md")
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if len(d.m.feed.Revisions()) != 0 {
		t.Errorf("%d changes were made up", len(d.m.feed.Revisions()))
	}
	if err := os.Rename(dir+".away", dir); err != nil {
		t.Fatal(err)
	}
	d.sees("● live")
	if len(d.m.feed.Revisions()) != 0 {
		t.Errorf("%d changes were made up", len(d.m.feed.Revisions()))
	}
}

// The root has the whole store below it: enter shows its listing, and what is opened from elsewhere is found in the tree.
func TestTheRootIsNeverFolded(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "text\n", "d/b.md": "needle\n"}), w: 100, h: 30, theme: dark})
	d.press("g", "enter")
	d.sees("Here're the files and directories")
	if folded := d.browse().Tree.Turned(); slices.Contains(folded, "/memories") {
		t.Errorf("folded: %v", folded)
	}
	d.press(":")
	d.types("open /memories/d/b.md")
	d.press("enter")
	if path, _ := d.browse().Tree.Selected(); path != "/memories/d/b.md" {
		t.Errorf("the cursor is on %s", path)
	}
}
