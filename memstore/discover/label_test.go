package discover_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/discover"
)

func TestLabels(t *testing.T) {
	root, err := filepath.Abs("ferry") // absolute on every system
	if err != nil {
		t.Fatal(err)
	}
	title := func(path string) string { return strings.Replace(path, filepath.Dir(root), "~", 1) }
	ferry := title(root)
	for want, f := range map[string]discover.Found{
		"work":                         {Name: "work", Project: root},
		ferry:                          {Name: "-src-ferry", Project: root, Path: filepath.Join(root, "-src-ferry", "memory")},
		ferry + ", team notes":         {Name: "memories", Project: root + ", team notes", Root: root, Path: filepath.Join(root, "memories")},
		"-odd":                         {Name: "-odd", Path: root},
		ferry + ", subagent tester":    {Agent: "Claude Code", Project: root + ", subagent tester", Root: root},
		ferry + ", team memory":        {Agent: "Qwen Code", Project: root + ", team memory", Root: root},
		ferry + ", pier":               {Agent: "Codex", Project: root + ", pier", Root: root + ", pier"},
		"subagent tester":              {Agent: "Claude Code", Project: "subagent tester"},
		ferry + " CLAUDE.md":           {Agent: "Claude Code", Project: root, Kind: discover.KindInstructions, Path: filepath.Join(root, "CLAUDE.md")},
		"user CLAUDE.md":               {Agent: "Claude Code", Kind: discover.KindInstructions, Path: filepath.Join(root, "CLAUDE.md")},
		"user":                         {Agent: "Codex", Path: root},
		"ssh-remote+harbour:/srv/book": {Agent: "VS Code", Project: "ssh-remote+harbour:/srv/book"},
		title(root + "/memories"):      {Path: root + "/memories"},
	} {
		if got := f.Label(title); got != want {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
}

// No two stores of an agent read the same, in a home with every agent.
func TestLabelsDiffer(t *testing.T) {
	home, _ := everyAgent(t)
	t.Chdir(t.TempDir())
	list := found(t, discover.Local(home, nil), nil)
	title := func(path string) string {
		return strings.Replace(filepath.ToSlash(path), filepath.ToSlash(home), "~", 1)
	}
	of := map[string]string{}
	var ends []string
	for i, label := range discover.Labels(list, title) {
		row := list[i].Agent + " " + label
		if other := of[row]; other != "" {
			t.Errorf("%s and %s are both %q", other, list[i].Path, row)
		}
		of[row] = list[i].Path
		if list[i].Agent == discover.MemoryTool && list[i].Root != "" {
			ends = append(ends, label)
		}
	}
	slices.Sort(ends)
	if want := []string{"~/src/ferry, memories", "~/src/ferry, memory/memories"}; !slices.Equal(ends, want) {
		t.Errorf("the stores of one project are %q, want %q", ends, want)
	}
}
