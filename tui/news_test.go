package tui

import (
	"context"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/journal"
)

// A file that came and went before the watch looked is listed where the journal has it, without any other event.
func TestWhatTheWatchDidNotSeeIsListed(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := files(t, map[string]string{"a.md": "one\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state, state: state, scrub: scrubbingIn(t, state, dir)})
	d.press("5")
	d.sees("━ trash")
	recordElsewhere(t, state,
		&memstore.Edit{Command: memstore.Command{Name: memstore.CmdCreate}, Changes: []memstore.Change{
			{Kind: memstore.KindFile, Path: "/memories/gone.md", After: memstore.NewContent([]byte("two\n"))},
		}},
		&memstore.Edit{Command: memstore.Command{Name: memstore.CmdDelete}, Changes: []memstore.Change{
			{Kind: memstore.KindFile, Path: "/memories/gone.md", Before: memstore.NewContent([]byte("two\n"))},
		}})
	d.sees("gone.md")
	d.press("2")
	d.sees("gone.md")
	d.arrived(2)
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

// openFile is a user interface with a file open that has a neighbor on each side.
func openFile(t *testing.T, state string) *driver {
	t.Helper()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n", "b.md": numbered(100), "c.md": "c\n"}), w: 120, h: 35, theme: dark, journal: state, state: state})
	d.press("j", "j", "enter", "ctrl+d")
	d.isOpen("/memories/b.md")
	return d
}

// isOpen holds that a file is in the view and under the tree's cursor.
func (d *driver) isOpen(path string) {
	d.t.Helper()
	if at, _ := d.browse().Tree.Selected(); at != path || d.browse().View.Path() != path {
		d.t.Fatalf("the tree is at %s and the view at %s, not at %s", at, d.browse().View.Path(), path)
	}
}

// What another interface marks is marked here.
func TestMarksOfAnotherInterface(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	d := openFile(t, state)
	d.does(edit("/memories/b.md", "row 50", "changed"))
	d.does(edit("/memories/c.md", "c", "C"))
	d.unread(2)
	j, err := journal.Open(state, journal.Options{Process: "ui"})
	if err != nil {
		t.Fatal(err)
	}
	if err := j.MarkRead(context.Background(), true, 1); err != nil {
		t.Fatal(err)
	}
	d.unread(1)
	d.press("2")
	d.until("the list is read again", func() bool { r, ok := d.m.changes.Revisions().Row(1); return ok && !r.Unread })
	if err := j.MarkRead(context.Background(), false, 1); err != nil {
		t.Fatal(err)
	}
	d.until("it is unread again", func() bool { return d.m.feed.IsUnread(1) })
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}
