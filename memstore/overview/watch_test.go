package overview

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"memcurator/memstore/discover"
)

// watched collects the rows that a watch reports.
type watched struct {
	mu   sync.Mutex
	rows map[string]Row
}

func (w *watched) report(r Row) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rows[r.Path] = r
}

// awaits waits until a row is as expected.
func (w *watched) awaits(t *testing.T, what, path string, is func(Row) bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		w.mu.Lock()
		row := w.rows[path]
		w.mu.Unlock()
		if is(row) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s: not seen: %+v", what, row)
		}
	}
}

func TestWatchReportsStoresThatChange(t *testing.T) {
	dir, paths := home(t, 4, 2)
	r := &Reader{Machine: discover.Local(dir, nil), Opener: newPlain()}
	rows := r.List(t.Context())
	r.Fill(t.Context(), rows, Everything, func(at int, row Row) { rows[at] = row })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen := &watched{rows: map[string]Row{}}
	var group sync.WaitGroup
	group.Go(func() { r.Watch(ctx, rows, LoadPart|DuePart, seen.report) })
	write(t, filepath.Join(paths[1], "topics", "ferries", "pier.md"), "a pier\n")
	write(t, filepath.Join(paths[2], "note-0.md"), "changed\n")
	if err := os.RemoveAll(paths[3]); err != nil {
		t.Fatal(err)
	}
	seen.awaits(t, "a note in a new folder", paths[1], func(r Row) bool { return r.Files == 3 && r.Due != nil && *r.Due == 1 })
	seen.awaits(t, "an edit", paths[2], func(r Row) bool { return r.Files == 2 })
	seen.awaits(t, "a store that is gone", paths[3], func(r Row) bool { return r.State == Unreadable })
	seen.mu.Lock()
	if _, reported := seen.rows[paths[0]]; reported {
		t.Error("a store that hasn't changed is reported")
	}
	seen.mu.Unlock()
	cancel()
	group.Wait()
}

// write makes a file and the folders above it.
func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
