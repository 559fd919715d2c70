package tui

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestChangesBySession(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 35}, {80, 24}, {60, 20}} {
		dir, state := store(t, "demo"), t.TempDir()
		sessions(t, dir, state)
		titles := func(context.Context, []string) map[string]string {
			return map[string]string{"7f3a": "Add the waitlist"}
		}
		d := start(t, setup{dir: dir, w: size[0], h: size[1], theme: dark, journal: state, titles: titles, grouped: true})
		d.press("2")
		d.sees("changes by session")
		d.press("}", "l")
		d.sees("Add the waitlist")
		d.sees("@@ preferences.md")
		d.golden("changes-sessions-" + strconv.Itoa(size[0]) + "x" + strconv.Itoa(size[1]))
	}
}

func TestSessionsAreReviewedAsAWhole(t *testing.T) {
	t.Parallel()
	dir, state := store(t, "demo"), t.TempDir()
	sessions(t, dir, state)
	before := readAll(t, dir)
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state, grouped: true})
	d.hasty = true
	d.press("2")
	d.sees("4 unread of 4")
	d.press("}", "a") // the heading of 7f3a
	d.sees("Approved 2 changes of session 7f3a")
	d.sees("2 unread of 4")
	d.press("r")
	d.sees("[y]")
	d.press("y")
	d.until("the session is reverted", func() bool {
		now := readAll(t, dir)
		return !strings.Contains(now["preferences.md"], "one\ntwo\n") && now["notes/by-hand.md"] == before["notes/by-hand.md"]
	})
	d.sees("you")
	d.press("o")
	d.sees("changes by file")
	d.press("-", "g")
	d.golden("changes-files-120x35")
	d.press("o")
	d.sees("Sorted by time")
	d.press("o", ".")
	d.sees("changes by session")
	if r, ok := d.m.changes.Revisions().Selected(); !ok || !r.Unread {
		t.Errorf("[.] went to %v %v", r, ok)
	}
}

// readAll reads the files of a folder.
func readAll(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range []string{"preferences.md", "progress.md", "notes/by-hand.md"} {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(data)
	}
	return all
}
