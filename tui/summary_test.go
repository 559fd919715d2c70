package tui

import (
	"context"
	"strconv"
	"testing"
	"time"

	"memcurator/memstore"
)

// sessions makes edits of two agents' sessions and one of another program, then quits the program.
func sessions(t *testing.T, dir, state string) {
	t.Helper()
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state, state: state})
	for i, c := range []memstore.Command{
		{Name: memstore.CmdInsert, Path: "/memories/preferences.md", InsertText: "one\ntwo\n"},
		{Name: memstore.CmdInsert, Path: "/memories/progress.md", InsertText: "one\n"}, edit("/memories/progress.md", "one\n", "1\n"),
	} {
		session := []string{"7f3a", "91c0", "7f3a"}[i]
		ctx := memstore.WithOrigin(t.Context(), memstore.Origin{Actor: memstore.Agent, Session: session})
		if r := d.agent.Do(ctx, c); r.IsError {
			t.Fatal(r.Content)
		}
	}
	d.write("notes/by-hand.md", "one\ntwo\n")
	d.arrived(4)
	d.leaves()
	d.m.saveLayout()
}

func TestSummaryOnOpening(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 35}, {80, 24}} {
		dir, state := store(t, "demo"), t.TempDir()
		sessions(t, dir, state)
		titles := func(_ context.Context, ids []string) map[string]string {
			return map[string]string{"7f3a": "Add the waitlist"}
		}
		looked := time.Date(2026, 11, 20, 18, 2, 0, 0, time.UTC)
		d := start(t, setup{dir: dir, w: size[0], h: size[1], theme: dark, journal: state, state: state, summary: true, looked: looked, titles: titles})
		d.sees("4 changes in 3 files, 4 unread")
		d.sees("since you last looked, yesterday 18:02")
		d.golden("summary-" + strconv.Itoa(size[0]) + "x" + strconv.Itoa(size[1]))
		d.press("j") // the first move
		d.lacks("since you last looked")
		d.press("k")
		d.lacks("since you last looked")
		d.command("summary")
		d.sees("since you last looked")
		d.press(".")
		d.lacks("since you last looked")
		d.sees("#1 ")
		d.until("it is read", func() bool { return len(d.m.feed.Unread()) == 3 })
	}
}
