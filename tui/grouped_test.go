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
	for _, size := range [][2]int{{120, 35}, {80, 24}} {
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
		d.golden("changes-sessions-" + strconv.Itoa(size[0]) + "x" + strconv.Itoa(size[1]))
	}
}

func TestSessionsAreReviewedAsAWhole(t *testing.T) {
	t.Parallel()
	dir, state := store(t, "demo"), t.TempDir()
	sessions(t, dir, state)
	before := readAll(t, dir)
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state, grouped: true})
	d.press("2")
	d.sees("4 unread of 4")
	d.press("g", "}", "a") // the heading of 7f3a
	d.sees("Approved 2 changes of session 7f3a")
	d.sees("2 unread of 4")
	d.press("a")
	d.sees("Already read. . goes to the next unread change")
	d.press("u")
	d.sees("Unread again: 2 changes of session 7f3a")
	d.sees("4 unread of 4")
	d.press("a")
	d.sees("Approved 2 changes of session 7f3a. u undoes")
	d.sees("2 unread of 4")
	d.press("r")
	d.sees("Revert 2 changes of session 7f3a?")
	d.sees("[y/enter] Revert 2 changes of session 7f3a")
	d.press("y")
	d.until("the session is reverted", func() bool {
		now := readAll(t, dir)
		return !strings.Contains(now["preferences.md"], "one\ntwo\n") && now["notes/by-hand.md"] == before["notes/by-hand.md"]
	})
	d.sees("you")
	d.press("o")
	d.sees("Sorted by time")
	d.press("o", ".")
	d.sees("changes by session")
	d.unread(1) // it went to one of the two
}

// A filter finds a session by its id and its title. What is reverted then are the rows that it shows, which the question says.
func TestAFilterFindsSessionsAndLimitsTheirRevert(t *testing.T) {
	t.Parallel()
	dir, state := store(t, "demo"), t.TempDir()
	sessions(t, dir, state)
	titles := func(context.Context, []string) map[string]string {
		return map[string]string{"7f3a": "Add the waitlist"}
	}
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state, titles: titles, grouped: true})
	d.press("2")
	d.sees("Add the waitlist")
	for _, words := range []string{"WAITLIST", "7f3"} {
		d.press("f", "ctrl+u")
		d.types(words)
		d.press("enter")
		d.sees("of 2")
	}
	d.press("f", "ctrl+u")
	d.types("7f3 preferences")
	d.press("enter")
	d.sees("of 1")
	d.press("g")
	d.sees("revert 1 shown")
	d.press("r")
	d.sees("Revert 1 of 2 changes of session 7f3a?")
	d.press("y")
	d.until("the row is reverted", func() bool { return !strings.Contains(readAll(t, dir)["preferences.md"], "one\ntwo\n") })
	d.sees("reverted")
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

// Selected rows are approved and reverted together, whatever session they are of.
func TestSelectedChangesAreReviewedTogether(t *testing.T) {
	t.Parallel()
	dir, state := store(t, "demo"), t.TempDir()
	sessions(t, dir, state)
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state, grouped: true})
	d.press("2")
	d.sees("4 unread of 4")
	d.press("j", "space", "j", "space") // by-hand.md of another program, and all of session 91c0
	d.sees("2 selected")
	d.sees("✓ agent")
	d.press("a")
	d.sees("Approved 2 changes of the selected rows")
	d.sees("2 unread of 4")
	d.press(".", "space", ".", "space", "r")
	d.sees("Revert 2 changes of the selected rows?")
	d.press("n") // they stay selected
	d.sees("Cancelled")
	d.press("r")
	d.sees("Revert 2 changes of the selected rows?")
	d.press("y")
	d.sees("Reverted ")
	d.lacks("2 selected")
}
