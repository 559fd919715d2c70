package cli

import (
	"os"
	"path/filepath"
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
	made := call{args: []string{"exec"}, env: env, stdin: `{"command":"create","path":"/memories/notes/todo.md","file_text":"one\n"}` + "\n" +
		`{"command":"create","path":"/memories/notes/gone.md","file_text":"two\n"}` + "\n" +
		`{"command":"delete","path":"/memories/notes/gone.md"}`}.run(t)
	if made.code != 0 {
		t.Fatalf("%+v", made)
	}
	for _, args := range [][]string{
		{"cat", "notes/todo.md"}, {"ls", "notes"}, {"cat", dir, "notes/todo.md"}, {"cat", "notes/todo.md", dir}, {"log", "-n", "1"},
		{"diff", "0", "now"}, {"diff", "notes/todo.md"}, {"cat", "--dir", dir, "old.md"}, {"log", "notes/todo.md"},
		{"blame", "notes/todo.md"}, {"diff", "0", "notes"}, {"diff", "today..now"}, {"restore", "notes/gone.md", "--dry-run"},
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

// A note can be named as the shell completes it: the store is the one that the file is in.
func TestNotesNamedByTheirFiles(t *testing.T) {
	above := t.TempDir()
	store := filepath.Join(above, "memories")
	for name, body := range map[string]string{"memories/a.md": "one\n", "memories/notes/b.md": "two\n", "beside.md": "no\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(above, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(above, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{session.EnvState: t.TempDir()}
	for _, c := range []struct {
		in   string
		args []string
		want string
	}{
		{above, []string{"cat", "memories/notes/b.md"}, "two"},
		{above, []string{"cat", "./memories/a.md"}, "one"},
		{above, []string{"cat", filepath.Join(store, "a.md")}, "one"},
		{above, []string{"cat", "a.md"}, "one"},
		{store, []string{"cat", "a.md"}, "one"},
		{store, []string{"cat", "./notes/b.md"}, "two"},
		{store, []string{"ls"}, "/memories/a.md"},
		{filepath.Join(store, "notes"), []string{"cat", "b.md"}, "two"},
		{filepath.Join(store, "notes"), []string{"cat", "a.md"}, "one"},
		{filepath.Join(store, "notes"), []string{"ls"}, "/memories/a.md"},
	} {
		t.Chdir(c.in)
		if o := (call{args: c.args, env: env}).run(t); o.code != 0 || !strings.Contains(o.out, c.want) {
			t.Errorf("%q in %s: %+v", c.args, c.in, o)
		}
	}
	t.Chdir(above)
	if o := (call{args: []string{"ls", "memories/notes"}, env: env}).run(t); !strings.Contains(o.out, "/memories/b.md") {
		t.Errorf("a folder of a store without a journal is not taken for a store: %+v", o)
	}
	made := `{"command":"create","path":"/memories/notes/c.md","file_text":"three\n"}`
	if o := (call{args: []string{"exec", "memories"}, env: env, stdin: made}).run(t); o.code != 0 {
		t.Fatalf("%+v", o)
	}
	for _, command := range []string{"ls", "log"} {
		if o := (call{args: []string{command, "memories/notes"}, env: env}).run(t); o.code != 0 || !strings.Contains(o.out, "/memories/notes/c.md") {
			t.Errorf("%s of a folder of a store: %+v", command, o)
		}
	}
	alone := call{args: []string{"cat", "./beside.md"}, env: env}.run(t)
	if want := "Here's the content of /memories/beside.md with line numbers:\n     1\tno\n     2\t"; alone.code != 0 || alone.out != want {
		t.Errorf("a file beside the store: %+v", alone)
	}
	if err := os.WriteFile(filepath.Join(above, "script.sh"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	call{args: []string{"cat", "./script.sh"}, env: env}.run(t).sentence(t, session.ExitFailed,
		"./script.sh is not a directory. Name a note with its store: --dir DIR NOTE")
	call{args: []string{"cat", "./memories/a.md", "--dir", store}, env: env}.run(t).sentence(t, session.ExitWrongUse, "Two stores named")
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
