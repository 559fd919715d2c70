package discover_test

import (
	"path/filepath"
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
		ferry:                          {Name: "-src-ferry", Project: root},
		"-odd":                         {Name: "-odd", Path: root},
		ferry + ", subagent tester":    {Agent: "Claude Code", Project: root + ", subagent tester", Root: root},
		ferry + ", team memory":        {Agent: "Qwen Code", Project: root + ", team memory", Root: root},
		ferry + ", pier":               {Agent: "Codex", Project: root + ", pier", Root: root + ", pier"},
		"subagent tester":              {Agent: "Claude Code", Project: "subagent tester"},
		ferry + " CLAUDE.md":           {Agent: "Claude Code", Project: root, Kind: discover.KindChain, Path: filepath.Join(root, "CLAUDE.md")},
		"user CLAUDE.md":               {Agent: "Claude Code", Kind: discover.KindChain, Path: filepath.Join(root, "CLAUDE.md")},
		"user":                         {Agent: "Codex", Path: root},
		"ssh-remote+harbour:/srv/book": {Agent: "VS Code", Project: "ssh-remote+harbour:/srv/book"},
		title(root + "/memories"):      {Agent: discover.MemoryTool, Path: root + "/memories"},
	} {
		if got := f.Label(title); got != want {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
}
