package cli

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/watch"
)

// The interface watches while another process of ours and another program work: each change
// is told with who made it, and recorded once.
func TestWhatIsWatchedIsRecordedOnce(t *testing.T) {
	dir, state := newStore(t, map[string]string{"a.md": "one\n"}), t.TempDir()
	backend, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Close()
	a := &app{env: Environment{Stderr: io.Discard}, log: slog.New(slog.DiscardHandler)}
	r := a.recordFor(t.Context(), state, backend)
	<-r.done
	w, err := watch.Start(t.Context(), memstore.New(backend, memstore.Options{ReadOnly: true, Origin: memstore.Origin{Actor: memstore.Curator}}),
		watch.Options{Known: r.known, Sink: r.take})
	if err != nil {
		t.Fatal(err)
	}
	until(t, w, func(u watch.Update) bool { return u.State == watch.Live && u.Kept == u.ToKeep })

	j, err := journal.Open(state, journal.Options{Backend: backend, Process: "exec"})
	if err != nil {
		t.Fatal(err)
	}
	agent := memstore.New(backend, memstore.Options{Recorders: []memstore.Recorder{j}})
	told := map[string]memstore.Actor{}
	sees := func(path string) {
		t.Helper()
		until(t, w, func(u watch.Update) bool {
			for _, c := range u.Changes {
				told[c.Path+" "+c.Command] = c.Actor
			}
			return slices.ContainsFunc(u.Changes, func(c *watch.Change) bool { return c.Path == path })
		})
	}
	if got := agent.StrReplace(t.Context(), "/memories/a.md", "one", "two"); got.IsError {
		t.Fatal(got.Content)
	}
	sees("/memories/a.md")
	if err := os.WriteFile(filepath.Join(dir, "b.md"), []byte("other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sees("/memories/b.md")
	if told["/memories/a.md str_replace"] != memstore.Agent || told["/memories/b.md create"] != memstore.External {
		t.Errorf("told: %v", told)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	r.end()

	j, err = journal.Open(state, journal.Options{Backend: backend})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if _, err := j.Reconcile(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	list, err := j.Revisions(t.Context(), journal.Filter{})
	if err != nil || len(list) != 2 || list[0].Actor != memstore.Agent || list[1].Actor != memstore.External || list[1].Note != "" {
		t.Errorf("recorded: %+v, %v", list, err)
	}
}

// until takes updates until one is as wanted.
func until(t *testing.T, w *watch.Watcher, wanted func(watch.Update) bool) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	for {
		select {
		case u := <-w.Updates():
			if wanted(u) {
				return
			}
		case <-ctx.Done():
			t.Fatal("it was never told")
		}
	}
}
