package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/theme"
)

// The next run looks as the last one did when it was left.
func TestLayoutAndPlaceAreRemembered(t *testing.T) {
	t.Parallel()
	dir, state := store(t, "demo"), t.TempDir()
	run := func() *driver {
		return start(t, setup{dir: dir, w: 80, h: 24, theme: dark, state: state})
	}
	d := run()
	d.press("o", "H", "-", "j", "j", "j", "enter") // into the folder that comes third by size
	d.command("open-next")                         // no such action, but it stays in the history
	d.press("esc", "k", "enter", "w", "G", "k", "esc", "f")
	d.types("is:file")
	d.press("enter")
	d.m.remembered.leave()
	left := d.screen()
	again := run()
	again.golden("remembered-80x24")
	if got := again.screen(); withoutMessage(got) != withoutMessage(left) {
		t.Errorf("left as\n%s\nfound as\n%s", left, got)
	}
}

// withoutMessage drops the status line, where a message may stand.
func withoutMessage(screen string) string {
	lines := strings.Split(screen, "\n")
	return strings.Join(lines[:len(lines)-1], "\n")
}

func TestHistoryAndThemeAreRemembered(t *testing.T) {
	t.Parallel()
	dir, state := files(t, map[string]string{"a.md": "a\n"}), t.TempDir()
	d := start(t, setup{dir: dir, w: 100, h: 24, theme: dark, state: state})
	d.command("theme light")
	d.press("/")
	d.types("needle")
	d.press("enter")
	d.command("mouse")
	d.m.remembered.leave()

	d = start(t, setup{dir: dir, w: 100, h: 24, theme: dark, state: state})
	if d.m.preferences.theme.Name != theme.Light || d.m.View().MouseMode != tea.MouseModeNone {
		t.Errorf("theme %s, mouse %v", d.m.preferences.theme.Name, d.m.View().MouseMode)
	}
	d.press(":", "up", "up")
	d.sees(":theme light")
	d.press("esc", "/", "up")
	d.sees("/needle")

	// What flags or configuration say now is newer than the choice.
	d = start(t, setup{dir: dir, w: 100, h: 24, theme: theme.Options{Name: theme.Mono}, state: state})
	if d.m.preferences.theme.Name != theme.Mono {
		t.Errorf("theme %s over the one asked for", d.m.preferences.theme.Name)
	}
}

func TestWhatIsGoneIsNotMissed(t *testing.T) {
	t.Parallel()
	dir, state := files(t, map[string]string{"d/e/a.md": "a\n", "b.md": "b\n"}), t.TempDir()
	d := start(t, setup{dir: dir, w: 100, h: 24, theme: dark, state: state})
	d.command("open /memories/d/e/a.md")
	d.sees("content of /memories/d/e/a.md")
	d.m.remembered.leave()
	if err := os.RemoveAll(filepath.Join(dir, "d", "e")); err != nil {
		t.Fatal(err)
	}
	d = start(t, setup{dir: dir, w: 100, h: 24, theme: dark, state: state})
	if path, _ := d.browse().Tree.Selected(); path != "/memories/d" {
		t.Errorf("the cursor is on %s, want the remaining folder", path)
	}
}
