package cli

import (
	"os"
	"path"
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
	if got := strings.Count(done.out, `"is_error":true`); done.code != 0 || got != 2 ||
		!strings.Contains(done.out, "Permission denied for /memories/4-project/hack.sh") || strings.Contains(done.out, "true\\n") {
		t.Errorf("exec: %+v", done)
	}
	if text, err := os.ReadFile(app("CLAUDE.md")); err != nil || !strings.HasPrefix(string(text), "# The app\n") {
		t.Errorf("CLAUDE.md is %q, %v", text, err)
	}
	sees(run("", "log", app("CLAUDE.md")), "/memories/4-project/CLAUDE.md")
	sees(run("", "log", "--dir", app("CLAUDE.md")), "/memories/4-project/dot-claude/rules/new.md")
	if o := run("", "undo", app("CLAUDE.md"), "1", "3"); o.code != 0 {
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
	run("", "ls", app("docs/CLAUDE.md")).sentence(t, session.ExitFailed, "No note CLAUDE.md in ")
}

// An agent that writes imports into its instruction files can't read, find, edit or make anything by them.
func TestAgentsReachNothingByImports(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		".claude/CLAUDE.md": "Be brief.\n", ".claude/history.md": "diary of the user\n", "secret/diary.md": "diary\n", "secret/pw.txt": "diary\n",
		"app/.git/config.md": "diary\n", "app/CLAUDE.md": "# App\n", "app/README.md": "read me\n", "app/.claude/commands/run.md": "diary\n",
		"app/.claude/rules/.hidden/r.md": "rule\n", "app/requirements.txt": "x==1\n",
	}
	memtest.WriteFiles(t, home, files)
	env := map[string]string{session.EnvState: filepath.Join(t.TempDir(), "state"), "HOME": home, "USERPROFILE": home}
	chain := filepath.Join(home, "app", "CLAUDE.md")
	exec := func(commands ...string) string {
		t.Helper()
		o := call{args: []string{"exec", chain}, stdin: strings.Join(commands, "\n") + "\n", env: env}.run(t)
		if o.code != 0 {
			t.Fatalf("%s: %+v", commands, o)
		}
		return o.out
	}
	places := []string{
		"@" + filepath.ToSlash(home) + "/secret/diary.md", "@~/secret/pw.txt", "@~/secret/none.md", "@~/.claude/history.md", "@.git/config.md",
		"@.git/new.md", "@.claude/commands/run.md", "@.claude/commands/new.md", "@README.md", "@./CMakeLists.txt", "@requirements.txt", "@docs/new.md",
	}
	text := strings.Join(places, " ")
	if got := exec(`{"command":"insert","path":"/memories/4-project/CLAUDE.md","insert_line":0,"insert_text":"` + text + `\n"}`); strings.Contains(got, "true}") {
		t.Fatal(got)
	}
	all := call{args: []string{"ls", chain}, env: env}.run(t).out
	listed := ""
	for _, at := range []string{"", "/4-project", "/4-project/dot-claude", "/5-imports", "/2-user"} {
		listed += exec(`{"command":"view","path":"/memories` + at + `"}`)
	}
	for _, hidden := range []string{"diary-", "pw-", "history", "dot-git", "commands"} {
		if strings.Contains(listed, hidden) {
			t.Errorf("an agent sees %s in\n%s", hidden, listed)
		}
	}
	if !strings.Contains(all, "diary-") || !strings.Contains(all, "4-project/README.md") {
		t.Errorf("people see\n%s", all)
	}
	if got := exec(`{"command":"view","path":"/memories/4-project/README.md"}`); !strings.Contains(got, "read me") {
		t.Errorf("a document of the project: %s", got)
	}
	names := []string{
		"2-user/history.md", "4-project/dot-git/config.md", "4-project/dot-git/new.md", "4-project/dot-claude/commands/run.md",
		"4-project/dot-claude/commands/new.md", "4-project/README.md", "4-project/CMakeLists.txt", "4-project/requirements.txt",
		"4-project/docs/new.md", "4-project/dot-claude/rules/dot-hidden/r.md", "4-project/dot-claude/rules/dot-git/new.md",
	}
	for line := range strings.Lines(all) {
		if _, name, ok := strings.Cut(line, "/memories/5-imports/"); ok {
			names = append(names, "5-imports/"+strings.TrimSpace(name))
		}
	}
	for _, name := range names {
		at := "/memories/" + name
		commands := []string{
			`{"command":"create","path":"` + at + `","file_text":"evil"}`, `{"command":"insert","path":"` + at + `","insert_line":0,"insert_text":"evil"}`,
			`{"command":"delete","path":"` + at + `"}`, `{"command":"rename","old_path":"` + at + `","new_path":"/memories/4-project/dot-claude/rules/n.md"}`,
			`{"command":"rename","old_path":"/memories/2-user/CLAUDE.md","new_path":"` + at + `"}`,
			`{"command":"view","path":"` + at + `"}`,
		}
		answers := strings.Split(exec(commands...), "\n")
		for i, command := range commands {
			got := answers[i]
			if !strings.Contains(got, `"is_error":true`) && !strings.Contains(command, "view") || strings.Contains(got, "diary\\n") {
				t.Errorf("%s: %s", command, got)
			}
		}
	}
	there := exec(`{"command":"view","path":"/memories/4-project/dot-claude/commands/run.md"}`)
	gone := exec(`{"command":"view","path":"/memories/4-project/dot-claude/commands/new.md"}`)
	if strings.Replace(there, "run.md", "new.md", 1) != gone {
		t.Errorf("an agent learns what exists: %s%s", there, gone)
	}
	for name, text := range files {
		if got, err := os.ReadFile(filepath.Join(home, filepath.FromSlash(name))); err != nil || name != "app/CLAUDE.md" && string(got) != text {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
}

// Instructions outside the project hold for other projects too: an agent of one project only reads them, whatever the command.
func TestAgentsEditTheProjectOnly(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	outside := map[string]string{".claude/CLAUDE.md": "Be brief.\n", ".claude/rules/go.md": "go\n", "src/CLAUDE.md": "above\n", ".claude/real.md": "real\n"}
	memtest.WriteFiles(t, home, outside)
	memtest.WriteFiles(t, home, map[string]string{"src/app/.git/HEAD": "ref\n", "src/app/CLAUDE.md": "# App\n", "all.toml": "agents_edit = \"all\"\n"})
	if err := os.Symlink("../real.md", filepath.Join(home, ".claude", "rules", "link.md")); err != nil {
		t.Skip(err)
	}
	env := map[string]string{session.EnvState: filepath.Join(t.TempDir(), "state"), "HOME": home, "USERPROFILE": home}
	refused := func(commands ...string) {
		t.Helper()
		o := call{args: []string{"exec", filepath.Join(home, "src", "app", "CLAUDE.md")}, stdin: strings.Join(commands, "\n") + "\n", env: env}.run(t)
		answers := strings.Split(o.out, "\n")
		for i, command := range commands {
			if o.code != 0 || i >= len(answers) || !strings.Contains(answers[i], `"is_error":true`) {
				t.Errorf("%s: %+v", command, o)
			}
		}
	}
	exec := func(file, command string, more ...string) string {
		t.Helper()
		o := call{args: append([]string{"exec", filepath.Join(home, filepath.FromSlash(file))}, more...), stdin: command + "\n", env: env}.run(t)
		if o.code != 0 {
			t.Fatalf("%s: %+v", command, o)
		}
		return o.out
	}
	listed := exec("src/app/CLAUDE.md", `{"command":"view","path":"/memories/3-above"}`)
	_, above, ok := strings.Cut(listed, "/memories/3-above/")
	if above, _, _ = strings.Cut(above, "/"); !ok || len(above) != 2 {
		t.Fatal(listed)
	}
	above = "3-above/" + above + "/CLAUDE.md"
	for _, name := range []string{"2-user/CLAUDE.md", "2-user/rules/go.md", "2-user/rules/link.md", "2-user/rules/new.md", "2-user/real.md", above,
		strings.TrimSuffix(above, ".md") + ".local.md", path.Dir(above) + "/dot-claude/rules/new.md"} {
		at := "/memories/" + name
		refused(
			`{"command":"create","path":"`+at+`","file_text":"evil"}`, `{"command":"insert","path":"`+at+`","insert_line":0,"insert_text":"evil"}`,
			`{"command":"str_replace","path":"`+at+`","old_str":"e","new_str":"evil"}`, `{"command":"delete","path":"`+at+`"}`,
			`{"command":"rename","old_path":"`+at+`","new_path":"/memories/4-project/dot-claude/rules/n.md"}`,
			`{"command":"rename","old_path":"/memories/4-project/CLAUDE.md","new_path":"`+at+`"}`)
	}
	for _, folder := range []string{"2-user", "2-user/rules", "3-above", path.Dir(above)} {
		refused(`{"command":"delete","path":"/memories/`+folder+`"}`,
			`{"command":"rename","old_path":"/memories/`+folder+`","new_path":"/memories/`+folder+`x"}`)
	}
	for name, text := range outside {
		if got, err := os.ReadFile(filepath.Join(home, filepath.FromSlash(name))); err != nil || string(got) != text {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	if got := exec("src/app/CLAUDE.md", `{"command":"view","path":"/memories/2-user/rules/go.md"}`); !strings.Contains(got, "go") {
		t.Error("an agent can't read the user's rules:", got)
	}
	for file, command := range map[string]string{
		"src/app/CLAUDE.md": `{"command":"create","path":"/memories/4-project/dot-claude/rules/new.md","file_text":"x"}`,
		".claude/CLAUDE.md": `{"command":"create","path":"/memories/2-user/rules/own.md","file_text":"x"}`,
	} {
		if got := exec(file, command); strings.Contains(got, `"is_error":true`) {
			t.Errorf("%s: %s", file, got)
		}
	}
	more := `{"command":"create","path":"/memories/2-user/rules/more.md","file_text":"x"}`
	if got := exec("src/app/CLAUDE.md", more, "--config", filepath.Join(home, "all.toml")); strings.Contains(got, `"is_error":true`) {
		t.Errorf(`agents_edit = "all": %s`, got)
	}
}
