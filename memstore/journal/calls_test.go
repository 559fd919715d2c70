package journal_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
)

// Views and failures of an agent in one process reach a follower in another; what the curator does, and what succeeds, is not among them.
func TestCallsThatChangedNothingReachOthers(t *testing.T) {
	t.Parallel()
	dir, state := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	backend, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Close()
	open := func() *journal.Journal {
		j, err := journal.Open(state, journal.Options{Backend: backend, Process: "exec"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = j.Close() })
		return j
	}
	agent, follower := open(), open()
	_, at, err := agentAfter(t, follower, -1)
	if err != nil {
		t.Fatal(err)
	}
	s := memstore.New(backend, memstore.Options{Origin: memstore.Origin{Actor: memstore.Agent, Session: "7f3a"}, Recorders: []memstore.Recorder{agent}})
	for _, c := range []memstore.Command{
		{Name: memstore.CmdView, Path: "/memories/a.md"},
		{Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: "a secret text", NewStr: "x"},
		{Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: "one", NewStr: "1"},
		{Name: memstore.CmdDelete, Path: "/memories/none.md"},
	} {
		s.Do(t.Context(), c)
	}
	if err := s.ViewTo(t.Context(), &strings.Builder{}, memstore.Command{Path: "/memories/a.md"}); err != nil {
		t.Fatal(err)
	}
	s.Do(memstore.WithOrigin(t.Context(), memstore.Origin{Actor: memstore.Curator}), memstore.Command{Name: memstore.CmdView, Path: "/memories/a.md"})
	var got []string
	for len(got) < 4 {
		var list []past.Call
		if list, at, err = follower.FollowCalls(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			got = append(got, strings.Join([]string{string(c.Actor), c.Session, c.Command, c.Path, c.Failed}, " "))
		}
	}
	want := "agent 7f3a view /memories/a.md \nagent 7f3a str_replace /memories/a.md old_str not found or not unique\n" +
		"agent 7f3a delete /memories/none.md no such file\nagent 7f3a view /memories/a.md "
	if all := strings.Join(got, "\n"); all != want {
		t.Errorf("got\n%s\nwant\n%s", all, want)
	}
	if _, err := agent.Purge(t.Context(), past.Purge{Redact: func(_ string, text []byte) []byte { return text }}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(state, "calls.jsonl")); !os.IsNotExist(err) {
		t.Errorf("after a purge the calls are still there: %v", err)
	}
}

// agentAfter asks for calls without waiting.
func agentAfter(t *testing.T, j *journal.Journal, at int64) ([]past.Call, int64, error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	list, next, err := j.FollowCalls(ctx, at)
	if ctx.Err() != nil {
		err = nil
	}
	return list, next, err
}
