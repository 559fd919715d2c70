package tui

import (
	"context"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/watch"
)

// A file that came and went before the watch looked is listed where the journal has it, with nothing else happening.
func TestWhatTheWatchDidNotSeeIsListed(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := files(t, map[string]string{"a.md": "one\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state, state: state, scrub: scrubbingIn(t, state, dir), grown: watch.Files})
	d.press("5")
	d.sees("━ trash")
	recordElsewhere(t, state,
		&memstore.Edit{Command: memstore.Command{Name: memstore.CmdCreate}, Changes: []memstore.Change{
			{Kind: memstore.KindFile, Path: "/memories/gone.md", After: memstore.NewContent([]byte("two\n"))},
		}},
		&memstore.Edit{Command: memstore.Command{Name: memstore.CmdDelete}, Changes: []memstore.Change{
			{Kind: memstore.KindFile, Path: "/memories/gone.md", Before: memstore.NewContent([]byte("two\n"))},
		}})
	d.sees("/memories/gone.md")
	d.press("2")
	d.sees("/memories/gone.md")
	d.arrived(2)
	d.press("1")
	d.sees("agent    delete      /memories/gone.md")
}

// recordElsewhere records edits of an agent of another program, which leave nothing on the disk.
func recordElsewhere(t *testing.T, state string, edits ...*memstore.Edit) {
	t.Helper()
	j, err := journal.Open(state, journal.Options{Process: "exec"})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range edits {
		e.Origin.Actor = memstore.Agent
		end, err := j.Begin(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		end(nil)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}
