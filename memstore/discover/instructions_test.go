package discover_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/discover"
)

// instructionsOf lists the stores of instruction files that a machine has.
func instructionsOf(t *testing.T, m discover.Machine) (list []string) {
	t.Helper()
	for _, f := range m.Find(t.Context(), nil) {
		if f.Kind == discover.KindInstructions {
			list = append(list, fmt.Sprintf("%s %s %d of %q", f.Agent, f.Path, f.Files, f.Root))
			if f.Load.OnDemand() || f.Path != f.Dir || !f.Counted {
				t.Errorf("row %+v", f)
			}
		}
	}
	slices.Sort(list)
	return list
}

func TestInstructions(t *testing.T) {
	files := map[string]string{}
	for _, f := range []string{
		"home/.claude/CLAUDE.md", "home/src/app/.git/HEAD", "home/src/app/.claude/CLAUDE.md", "home/src/app/AGENTS.md",
		"home/src/GEMINI.md", "home/src/app/cmd/main.go", "home/.codex/AGENTS.override.md",
	} {
		files[f] = "x"
	}
	root := disk(t, files)
	t.Chdir(root + "/home/src/app/cmd")
	want := []string{
		"Claude Code ROOT/home/.claude/CLAUDE.md 1 of \"\"",
		"Claude Code ROOT/home/src/app/CLAUDE.md 1 of \"ROOT/home/src/app\"",
		"Codex ROOT/home/.codex/AGENTS.md 1 of \"\"",
		"Codex ROOT/home/src/app/AGENTS.md 1 of \"ROOT/home/src/app\"",
		"Gemini CLI ROOT/home/src/GEMINI.md 1 of \"ROOT/home/src\"",
	}
	got := instructionsOf(t, discover.Local(root+"/home", nil))
	for i, line := range got {
		got[i] = strings.ReplaceAll(line, root, "ROOT")
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Instruction files are found on this machine.
func TestInstructionsOnDisk(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	app := filepath.Join(home, "app")
	for name, text := range map[string]string{
		"app/CLAUDE.md": "@docs/a.md", "app/docs/a.md": "a", ".claude/CLAUDE.md": "mine", "app/AGENTS.md": "a",
	} {
		file := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(app)
	m := discover.Local(home, nil)
	got := instructionsOf(t, m)
	for i, g := range got {
		got[i] = strings.ReplaceAll(g, home, "~")
	}
	want := []string{
		"Claude Code ~/.claude/CLAUDE.md 1 of \"\"", "Claude Code ~/app/CLAUDE.md 1 of \"~/app\"", "Codex ~/app/AGENTS.md 1 of \"~/app\"",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	named := m.Find(t.Context(), []discover.Place{{Name: "mine", Dir: filepath.Join(app, "CLAUDE.md")}})
	if f := named[0]; f.Name != "mine" || f.Kind != discover.KindInstructions || f.Agent != "Claude Code" || f.Files != 1 || f.Problem != "" || f.Missing {
		t.Errorf("instruction files of the configuration: %+v", f)
	}
	if r := m.LoadOf(filepath.Join(app, "AGENTS.md")); r.Bytes != 32<<10 || !r.Together {
		t.Errorf("the limit of Codex: %+v", r)
	}
	if r := m.LoadOf(app); !r.OnDemand() {
		t.Errorf("a project isn't an instruction file: %+v", r)
	}
}
