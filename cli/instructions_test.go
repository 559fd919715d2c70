package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
	"memcurator/memstore/memtest"
)

// The instruction files of a folder are a store in every command: named by any of them, journaled under one name, and undone.
func TestInstructionFiles(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	token := "gh" + "p_" + "Q7wE2rT9yU4iO1pA6sD3fG8hJ5kL0zX7cV2b"
	memtest.WriteFiles(t, home, map[string]string{
		".claude/CLAUDE.md": "Be brief.\n", "app/.git/HEAD": "ref\n", "app/CLAUDE.md": "# App\n\nSee @docs/a.md and @run.sh.\n",
		"app/.claude/rules/key.md": "token: " + token + "\n",
		"app/docs/a.md":            "a\n", "app/run.sh": "true\n", "app/.claude/rules/go.md": "gofmt\n", "app/AGENTS.md": "agents\n",
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
	sees(run("", "ls", app(".claude/rules/go.md")), "/memories/CLAUDE.md")
	sees(run("", "cat", app(".claude/rules/go.md")), "/memories/dot-claude/rules/go.md with line numbers")
	sees(run("", "cat", app("CLAUDE.md"), "dot-claude/rules/go.md"), "     1\tgofmt\n")
	sees(run("", "cat", app("AGENTS.md")), "agents")

	run(`{"command":"view","path":"/memories"}`, "exec", app(".claude/rules/go.md")).sentence(t, session.ExitWrongUse,
		"exec works on notes, and "+app("CLAUDE.md")+" is an instruction file")
	sees(run("", "scrub", app("CLAUDE.md"), "--yes"), "1 place in files")
	redacted := func() bool {
		text, err := os.ReadFile(app(".claude/rules/key.md"))
		return err == nil && !strings.Contains(string(text), token)
	}
	if !redacted() {
		t.Error("scrub left the token in a rule")
	}
	sees(run("", "log", "--dir", app("CLAUDE.md")), "/memories/dot-claude/rules/key.md")
	if o := run("", "undo", app("CLAUDE.md")); o.code != 0 || redacted() {
		t.Errorf("undo: %+v", o)
	}
	sees(run("", "doctor", app("CLAUDE.md")), "OK")
	if o := run("", "log", app("AGENTS.md")); strings.Contains(o.out, "CLAUDE.md") {
		t.Errorf("Codex's files have the journal of another agent's: %+v", o)
	}
	run("", "apply", "--yes", app("CLAUDE.md")).sentence(t, 0, "No rules")
	run("", "cat", app("run.sh")).sentence(t, session.ExitFailed, "is a file, not a directory")
	run("", "cat", app("gone/CLAUDE.md")).sentence(t, session.ExitFailed, "No directory")
	run("", "ls", app("docs/CLAUDE.md")).sentence(t, session.ExitFailed, "No note CLAUDE.md in ")
}
