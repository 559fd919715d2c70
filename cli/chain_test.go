package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
	"memcurator/memstore/memtest"
)

// A chain is a store in every command: named by any of its files, journaled under one name, and undone.
func TestChains(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	memtest.WriteFiles(t, home, map[string]string{
		".claude/CLAUDE.md": "Be brief.\n", "app/.git/HEAD": "ref\n", "app/CLAUDE.md": "# App\n\nSee @docs/a.md and @run.sh.\n",
		"app/docs/a.md": "a\n", "app/run.sh": "true\n", "app/.claude/rules/go.md": "gofmt\n", "app/AGENTS.md": "agents\n",
	})
	env := map[string]string{session.EnvState: filepath.Join(t.TempDir(), "state"), "HOME": home, "USERPROFILE": home}
	app := func(name string) string { return filepath.Join(home, "app", filepath.FromSlash(name)) }
	run := func(stdin string, args ...string) outcome { return call{args: args, stdin: stdin, env: env}.run(t) }
	sees := func(o outcome, want string) {
		t.Helper()
		if o.code != 0 || !strings.Contains(o.out, want) {
			t.Errorf("%+v\ndoes not say %q", o, want)
		}
	}
	sees(run("", "ls", app("CLAUDE.md")), "/memories/4-project/run.sh")
	sees(run("", "ls", app(".claude/rules/go.md")), "/memories/2-user/CLAUDE.md")
	sees(run("", "cat", app(".claude/rules/go.md")), "/memories/4-project/dot-claude/rules/go.md with line numbers")
	sees(run("", "cat", app("CLAUDE.md"), "4-project/docs/a.md"), "     1\ta\n")
	sees(run("", "cat", app("AGENTS.md")), "agents")

	done := run(`{"command":"str_replace","path":"/memories/4-project/CLAUDE.md","old_str":"# App","new_str":"# The app"}`+"\n"+
		`{"command":"view","path":"/memories/4-project/run.sh"}`+"\n"+
		`{"command":"create","path":"/memories/4-project/hack.sh","file_text":"x"}`+"\n"+
		`{"command":"create","path":"/memories/4-project/dot-claude/rules/new.md","file_text":"x"}`+"\n", "exec", app(".claude/rules/go.md"))
	if got := strings.Count(done.out, `"is_error":true`); done.code != 0 || got != 2 || strings.Count(done.out, "Permission denied for /memories/4-project/") != 2 {
		t.Errorf("exec: %+v", done)
	}
	if text, err := os.ReadFile(app("CLAUDE.md")); err != nil || !strings.HasPrefix(string(text), "# The app\n") {
		t.Errorf("CLAUDE.md is %q, %v", text, err)
	}
	sees(run("", "log", app("CLAUDE.md")), "/memories/4-project/CLAUDE.md")
	sees(run("", "log", "--dir", app("CLAUDE.md")), "/memories/4-project/dot-claude/rules/new.md")
	if o := run("", "undo", app("CLAUDE.md"), "1", "2"); o.code != 0 {
		t.Errorf("undo: %+v", o)
	}
	if text, err := os.ReadFile(app("CLAUDE.md")); err != nil || !strings.HasPrefix(string(text), "# App\n") {
		t.Errorf("after undo CLAUDE.md is %q, %v", text, err)
	}
	if _, err := os.Lstat(app(".claude/rules/new.md")); err == nil {
		t.Error("undo left the new rule")
	}
	sees(run("", "doctor", app("CLAUDE.md")), "OK")
	if o := run("", "log", app("AGENTS.md")); strings.Contains(o.out, "CLAUDE.md") {
		t.Errorf("the chain of Codex has the journal of another: %+v", o)
	}
	run("", "apply", app("CLAUDE.md")).sentence(t, 0, "No rules")
	run("", "cat", app("run.sh")).sentence(t, session.ExitFailed, "is not a directory")
	run("", "cat", app("gone/CLAUDE.md")).sentence(t, session.ExitFailed, "No directory")
	run("", "ls", app("docs/CLAUDE.md")).sentence(t, session.ExitFailed, "No directory")
}
