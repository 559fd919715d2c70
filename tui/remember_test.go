package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The next run begins where the last one was left: unfolded folders, the note under the cursor, the tab.
func TestLayoutAndPlaceAreRemembered(t *testing.T) {
	t.Parallel()
	dir, state := store(t, "demo"), t.TempDir()
	run := func() *driver {
		return start(t, setup{dir: dir, w: 80, h: 24, theme: dark, state: state})
	}
	d := run()
	d.press("-", "j", "j", "j", "enter", "]", "esc", "j", "j", "j", "enter")
	d.m.saveLayout()
	left := d.screen()
	again := run()
	again.golden("remembered-80x24")
	if got := again.screen(); withoutMessage(got) != withoutMessage(left) {
		t.Errorf("left as\n%s\nfound as\n%s", left, got)
	}
	// A damaged file is a new start.
	writeText(t, filepath.Join(state, layoutFile), "{broken")
	if path, _ := run().browse().Tree.Selected(); path != "/memories" {
		t.Errorf("the cursor is on %s", path)
	}
}

// withoutMessage drops the status line, where a message may stand.
func withoutMessage(screen string) string {
	lines := strings.Split(screen, "\n")
	return strings.Join(lines[:len(lines)-1], "\n")
}

func TestWhatIsGoneIsNotMissed(t *testing.T) {
	t.Parallel()
	dir, state := files(t, map[string]string{"d/e/a.md": "a\n", "b.md": "b\n"}), t.TempDir()
	d := start(t, setup{dir: dir, w: 100, h: 24, theme: dark, state: state})
	d.command("open d/e/a.md")
	d.sees("content of /memories/d/e/a.md")
	d.m.saveLayout()
	if err := os.RemoveAll(filepath.Join(dir, "d", "e")); err != nil {
		t.Fatal(err)
	}
	d = start(t, setup{dir: dir, w: 100, h: 24, theme: dark, state: state})
	if path, _ := d.browse().Tree.Selected(); path != "/memories/d" {
		t.Errorf("the cursor is on %s, want the remaining folder", path)
	}
}
