package discover_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/discover"
)

// instructionsOf lists the stores of instruction files that a machine has.
func instructionsOf(t *testing.T, m discover.Machine) (list []string) {
	t.Helper()
	for _, f := range found(t, m, nil) {
		if f.Kind == discover.KindInstructions {
			list = append(list, fmt.Sprintf("%s %s %d of %q", f.Agent, f.Path, f.Files, f.Root))
			if f.Load.OnDemand() {
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
	m := discover.Local(root+"/home", nil)
	got := instructionsOf(t, m)
	for i, line := range got {
		got[i] = strings.ReplaceAll(line, root, "ROOT")
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	app := root + "/home/src/app"
	mine := 0
	for _, f := range found(t, m, []discover.Place{{Name: "mine", Dir: app + "/CLAUDE.md"}}) {
		if f.Name != "mine" {
			continue
		}
		if mine++; f.Kind != discover.KindInstructions || f.Agent != "Claude Code" || f.Files != 1 || f.Problem != "" || f.Missing {
			t.Errorf("instruction files of the configuration: %+v", f)
		}
	}
	if mine != 1 {
		t.Errorf("%d stores are those of the configuration", mine)
	}
	if r := m.LoadOf(app + "/AGENTS.md"); r.Bytes != 32<<10 || !r.Together {
		t.Errorf("the limit of Codex: %+v", r)
	}
	if r := m.LoadOf(app); !r.OnDemand() {
		t.Errorf("a project isn't an instruction file: %+v", r)
	}
}
