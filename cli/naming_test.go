package cli

import (
	"strings"
	"testing"

	"memcurator/cli/session"
)

// A path may be written relative to the store; a directory wins.
func TestPathsRelativeToTheStore(t *testing.T) {
	dir := newStore(t, map[string]string{"old.md": "old\n"})
	t.Chdir(t.TempDir())
	env := map[string]string{session.EnvDir: dir, session.EnvState: t.TempDir()}
	try := func(args ...string) outcome {
		t.Helper()
		return call{args: args, env: env}.run(t)
	}
	edits(t, env, dir, `{"command":"create","path":"/memories/notes/todo.md","file_text":"one\n"}`+"\n"+
		`{"command":"create","path":"/memories/notes/gone.md","file_text":"two\n"}`+"\n"+
		`{"command":"delete","path":"/memories/notes/gone.md"}`)
	for _, args := range [][]string{
		{"cat", "notes/todo.md"}, {"ls", "notes"}, {"cat", dir, "notes/todo.md"}, {"log", "-n", "1"},
		{"diff", "0", "now"}, {"diff", "notes/todo.md"}, {"cat", "--dir", dir, "old.md"}, {"log", "notes/todo.md"},
		{"blame", "notes/todo.md"}, {"diff", "0", "notes"}, {"diff", "today..now"}, {"restore", "notes/gone.md"},
		{"restore", "notes/todo.md", "--at", "1", "--as", "notes/copy.md"},
	} {
		if o := try(args...); o.code != 0 || o.out == "" {
			t.Errorf("%q: %+v", args, o)
		}
	}
	for _, path := range []string{"todo.md", "/memories/todo.md"} {
		try("cat", path).sentence(t, session.ExitFailed, "The path /memories/todo.md does not exist. Please provide a valid path.")
		try("blame", path).sentence(t, session.ExitFailed, "No file /memories/todo.md")
		try("restore", path).sentence(t, session.ExitFailed, "The journal has no earlier state of /memories/todo.md")
	}
	try("undo", "9999").sentence(t, session.ExitFailed, "No revision #9999; the newest is #")
	try("log", "--since", "yesterdy").sentence(t, session.ExitWrongUse, `Can't parse "yesterdy". Try 21:00, yesterday 18:02, monday, 3d, 2 hours ago, 2026-01-31`)
	try("restore", "/memories", "--at", "yesterday").sentence(t, session.ExitWrongUse,
		"Not a terminal. Pass --yes to restore")
}

// Diffs have colors on a terminal.
func TestColours(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	shown := []string{"show", dir, "2"}
	if o := (call{args: shown, tty: true}).run(t); o.code != 0 || !strings.Contains(o.out, "\x1b[31m-") || !strings.Contains(o.out, "\x1b[32m+") {
		t.Errorf("%+v", o)
	}
	if o := (call{args: shown, tty: true, env: map[string]string{"NO_COLOR": "1"}}).run(t); o.code != 0 || strings.Contains(o.out, "\x1b") {
		t.Errorf("without colors: %+v", o)
	}
}
