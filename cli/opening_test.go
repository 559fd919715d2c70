package cli

import (
	"io"
	"os"
	"testing"

	"memcurator/cli/screen"
	"memcurator/cli/session"
)

// aside is a run in a folder of its own, with a home and a state folder.
func aside(t *testing.T) (run *session.Session, env map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	env = map[string]string{"HOME": t.TempDir(), "MEMCURATOR_STATE": t.TempDir(), "MEMCURATOR_CONFIG": os.DevNull}
	return session.New(session.Environment{Stdout: io.Discard, Stderr: io.Discard, Getenv: func(n string) string { return env[n] }}), env
}

// Stores offers to start a memory where there is none, and what that writes is the user's act, which undo undoes.
func TestStartingAMemoryFromTheListIsUndone(t *testing.T) {
	run, env := aside(t)
	names := func(list []screen.Offer) (names []string) {
		for _, o := range list {
			names = append(names, o.Name)
		}
		return names
	}
	way := screen.Way{Follow: func(session.Settings) bool { return false }}
	list := offers(way)
	if got := names(list); len(got) != 2 || got[1] != "init" {
		t.Fatal(got)
	}
	o, err := list[1].Open(run, t.Context())
	must(t, err)
	o.Close()
	if got := names(offers(way)); len(got) != 1 {
		t.Errorf("with notes there: %q", got)
	}
	if _, err := list[1].Open(run, t.Context()); err == nil {
		t.Error("it writes into a memory")
	}
	if o := (call{args: []string{"undo", memoriesHere}, env: env}).run(t); o.code != 0 {
		t.Errorf("%+v", o)
	}
	if left, err := os.ReadDir(memoriesHere); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}
