package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// A journal that is made in the background records edits from the start, and is there for others
// after.
func TestLaterIsThereForWhoUsesIt(t *testing.T) {
	dir := t.TempDir()
	backend := memstore.NewMemory()
	j, err := Open(dir, Options{Backend: backend, Later: true})
	if err != nil {
		t.Fatal(err)
	}
	store := memstore.New(backend, memstore.Options{Recorders: []memstore.Recorder{j}})
	if r := store.Do(t.Context(), create("/memories/a.md", "x")); r.IsError {
		t.Fatal(r.Content)
	}
	if list, err := past.Revisions(t.Context(), j, past.Filter{}); err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(dir, Options{Backend: backend, Later: true})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if list, err := past.Revisions(t.Context(), again, past.Filter{}); err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
}

// Where it cannot be made, each use says why, immediately or once it is known.
func TestLaterSaysWhyThereIsNone(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "missing"), Options{Later: true}); err == nil {
		t.Error("a folder that is not there")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, fileName+"-wal"), 0o700); err != nil {
		t.Fatal(err)
	}
	j, err := Open(dir, Options{Later: true})
	if err != nil {
		t.Fatal(err)
	}
	var e *past.Error
	if _, err := past.Revisions(t.Context(), j, past.Filter{}); !errors.As(err, &e) || errors.Is(err, past.ErrClosed) {
		t.Error("read:", err)
	}
	if err := j.MarkRead(context.Background(), true, 1); !errors.As(err, &e) || errors.Is(err, past.ErrClosed) {
		t.Error("write:", err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}
