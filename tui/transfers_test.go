package tui

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/transfer"
)

// longAgo is before the program was started.
func longAgo() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) }

// place opens a store with a journal in a state folder.
func place(ctx context.Context, dir, state string) (transfer.Place, func(), error) {
	b, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		return transfer.Place{}, nil, err
	}
	if err := os.MkdirAll(state, 0o700); err != nil {
		return transfer.Place{}, nil, err
	}
	j, err := journal.Open(state, journal.Options{Backend: b, Process: "test", Now: longAgo})
	if err != nil {
		return transfer.Place{}, nil, err
	}
	_, err = j.Reconcile(ctx, nil)
	store := memstore.New(b, memstore.Options{Recorders: []memstore.Recorder{j}, Now: longAgo})
	return transfer.Place{Path: dir, Title: dir, Record: j, Store: store}, func() {
		_ = j.Close()
		_ = b.Close()
	}, err
}

// move moves all notes of a store to another one, as the command does.
func move(t *testing.T, dir, state, other string, open transfer.Opener) {
	t.Helper()
	from, close, err := place(t.Context(), dir, state)
	if err != nil {
		t.Fatal(err)
	}
	defer close()
	to, closeOther, err := open(t.Context(), other)
	if err != nil {
		t.Fatal(err)
	}
	defer closeOther()
	x := transfer.Transfer{From: from, To: to, Move: true}
	plan, err := x.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Carry(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
}

// TestUndoOfAMove: the undo asks, and reaches both stores. Without the other one it undoes what it can, and the next undo
// finishes.
func TestUndoOfAMove(t *testing.T) {
	t.Parallel()
	dir, other, state := files(t, map[string]string{"a.md": "# A\n"}), files(t, map[string]string{"b.md": "b\n"}), t.TempDir()
	recorded := func(ctx context.Context, at string) (transfer.Place, func(), error) {
		return place(ctx, at, filepath.Join(state, "other"))
	}
	move(t, dir, state, other, recorded)
	d := start(t, setup{dir: dir, w: 200, h: 30, theme: dark, journal: state, recorded: recorded, late: time.Hour})
	d.press("u")
	d.sees("Undo the move of a.md")
	d.sees("delete   a.md in " + other)
	d.press("y")
	d.sees("Undid the move of a.md")
	has := func(in, want string) {
		t.Helper()
		if data, _ := os.ReadFile(filepath.Join(in, "a.md")); string(data) != want {
			t.Errorf("%s has %q, want %q", in, data, want)
		}
	}
	has(dir, "# A\n")
	has(other, "")
	d.press("ctrl+r")
	d.sees("Redid the move of a.md")
	has(dir, "")
	has(other, "# A\n")
	gone := other + ".gone"
	if err := os.Rename(other, gone); err != nil {
		t.Fatal(err)
	}
	d.press("u")
	d.sees("Not undone in " + other + ": it is gone")
	d.press("y")
	d.sees("u finishes later")
	has(dir, "# A\n")
	has(gone, "# A\n")
	d.press("u")
	d.sees("Nothing to undo")
	if err := os.Rename(gone, other); err != nil {
		t.Fatal(err)
	}
	d.press("u")
	d.sees("delete   a.md in " + other)
	d.press("y")
	d.until("undone", func() bool {
		_, err := os.Stat(filepath.Join(other, "a.md"))
		return os.IsNotExist(err)
	})
}
