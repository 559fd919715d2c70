package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
	"memcurator/memstore/memtest"
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
	for _, command := range []string{"cat", "ls", "log", "blame", "restore"} {
		try(command, "todo.md").sentence(t, session.ExitFailed, "No file todo.md\n")
	}
	try("cat", "/memories/todo.md").sentence(t, session.ExitFailed, "The path /memories/todo.md does not exist. Please provide a valid path.")
	try("undo", "9999").sentence(t, session.ExitFailed, "No revision #9999; the newest is #")
	try("log", "--since", "yesterdy").sentence(t, session.ExitWrongUse, `Can't parse "yesterdy". Try 21:00, yesterday 18:02, monday, 3d, 2 hours ago, 2026-01-31`)
	try("restore", "/memories", "--at", "yesterday").sentence(t, session.ExitWrongUse,
		"Not a terminal. Pass --yes to restore")
}

// A note of the usual store can be named by its path on this machine, as the shell completes it.
func TestNotesNamedByTheirFiles(t *testing.T) {
	above := t.TempDir()
	store := filepath.Join(above, "memories")
	memtest.WriteFiles(t, above, map[string]string{"memories/a.md": "one\n", "memories/notes/b.md": "two\n", "beside.md": "no\n"})
	env := map[string]string{session.EnvState: t.TempDir()}
	t.Chdir(above)
	for _, c := range []struct {
		word, want string
	}{
		{"memories/notes/b.md", "two"}, {"./memories/a.md", "one"}, {filepath.Join(store, "a.md"), "one"}, {"a.md", "one"}, {"notes/b.md", "two"},
	} {
		if o := (call{args: []string{"cat", c.word}, env: env}).run(t); o.code != 0 || !strings.Contains(o.out, c.want) {
			t.Errorf("%q: %+v", c.word, o)
		}
	}
	call{args: []string{"cat", "./beside.md"}, env: env}.run(t).sentence(t, session.ExitFailed,
		"./beside.md is not a directory. Name a note with its store: --dir DIR NOTE")
	if o := (call{args: []string{"cat", "./memories/a.md", "--dir", store}, env: env}).run(t); o.code != 0 || !strings.Contains(o.out, "one") {
		t.Errorf("a note in --dir: %+v", o)
	}
	call{args: []string{"cat", "./memories", "--dir", store}, env: env}.run(t).sentence(t, session.ExitWrongUse, "Two stores named")
}

// Diffs have colors on a terminal.
func TestColours(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	for _, c := range []struct {
		args []string
		has  string
	}{{[]string{"diff", dir, "0"}, "\x1b[32m+"}, {[]string{"show", dir, "2"}, "\x1b[31m-"}} {
		if o := (call{args: c.args, tty: true}).run(t); o.code != 0 || !strings.Contains(o.out, c.has) {
			t.Errorf("%q: %+v", c.args, o)
		}
		for _, without := range []call{
			{args: c.args}, {args: c.args, tty: true, env: map[string]string{"NO_COLOR": "1"}}, {args: append(c.args, "--plain"), tty: true},
		} {
			if o := without.run(t); o.code != 0 || strings.Contains(o.out, "\x1b") {
				t.Errorf("%q %v: %+v", without.args, without.env, o)
			}
		}
	}
}
