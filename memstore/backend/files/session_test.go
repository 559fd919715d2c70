package files_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/backend/files"
)

// given is what a session gets of the files below the home folder: names, or why not. Names of files of the store end in "*".
func (w *world) given(f *files.Folder) (list []string) {
	w.t.Helper()
	start, err := f.Start(w.t.Context())
	must(w.t, err)
	for _, s := range start {
		name := strings.ReplaceAll(s.Name, w.home, "HOME")
		switch {
		case s.Problem != "":
			name += ": " + s.Problem
		case !s.Elsewhere:
			name += "*"
		case filepath.IsAbs(s.Name) && name == s.Name:
			continue // of this machine itself
		}
		list = append(list, name)
	}
	return list
}

func TestSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		".claude/CLAUDE.md": "Be brief. @notes/style.md @~/elsewhere/more.md", ".claude/notes/style.md": "style", ".claude/rules/go.md": "gofmt",
		"elsewhere/more.md": "more", "src/CLAUDE.md": "above", "src/app/.git/HEAD": "ref",
		"src/app/CLAUDE.md":       "See @docs/a.md, @package.json and `@docs/code.md`. @docs/none.md @param me@x.md",
		"src/app/CLAUDE.local.md": "mine", "src/app/.claude/CLAUDE.md": "second", "src/app/.claude/rules/x.md": "---\npaths:\n  - src\n---\nonly there",
		"src/app/.claude/rules/d/y.md": "always", "src/app/.claude/rules/skip.txt": "no rule", "src/app/docs/a.md": "see @b.md",
		"src/app/docs/b.md": "end, and back: @a.md", "src/app/docs/code.md": "not imported", "src/app/package.json": "{}",
		"src/app/cmd/CLAUDE.md": "cmd", "src/app/lib/CLAUDE.md": "another folder", "src/app/AGENTS.md": "a", ".codex/AGENTS.md": "mine",
		".codex/AGENTS.override.md": "mine first", "src/app/cmd/AGENTS.md": "\n",
	})
	equal(t, "Claude Code", w.given(w.open("src/app/cmd/CLAUDE.md")), []string{
		"~/.claude/CLAUDE.md", "~/.claude/notes/style.md", "~/elsewhere/more.md", "~/.claude/rules/go.md", "~/src/CLAUDE.md",
		"../CLAUDE.md", "../docs/a.md", "../docs/b.md", "../package.json", "../docs/none.md: it doesn't exist, and ../CLAUDE.md imports it",
		"../.claude/CLAUDE.md", "../.claude/rules/d/y.md", "../CLAUDE.local.md", "CLAUDE.md*",
	})
	equal(t, "the user's", w.given(w.open(".claude/CLAUDE.md")), []string{
		"CLAUDE.md*", "notes/style.md", "~/elsewhere/more.md", "rules/go.md*",
	})
	codex := w.open("src/app/cmd/AGENTS.md")
	equal(t, "Codex", w.given(codex), []string{"~/.codex/AGENTS.override.md", "../AGENTS.md", "AGENTS.md*"})
	start, err := codex.Start(t.Context())
	must(t, err)
	if !start[0].Free || start[1].Free {
		t.Errorf("Codex gets %+v", start)
	}
}

func TestCyclesAndDepth(t *testing.T) {
	t.Parallel()
	texts := map[string]string{"app/CLAUDE.md": "@CLAUDE.md @a/0.md", "app/GEMINI.md": "@GEMINI.md @../out.md @./g/0.md end\n", "out.md": "out"}
	for i := range 9 {
		texts[fmt.Sprintf("app/a/%d.md", i)] = fmt.Sprintf("@%d.md @../CLAUDE.md", i+1)
		texts[fmt.Sprintf("app/g/%d.md", i)] = fmt.Sprintf("%d @%d.md", i, i+1)
	}
	w := newWorld(t, texts)
	equal(t, "4 hops", w.given(w.open("app/CLAUDE.md")), []string{"CLAUDE.md*", "a/0.md", "a/1.md", "a/2.md", "a/3.md"})
	g := w.open("app/GEMINI.md")
	equal(t, "5 hops", w.given(g), []string{"GEMINI.md*", "~/out.md: it is outside the project", "g/0.md", "g/1.md", "g/2.md", "g/3.md", "g/4.md"})
}

func TestBadImports(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		"app/CLAUDE.md": "@docs/ @docs @bin.md @huge.md @../key.md @/etc/ @none.md @user @x@y.md me@a.md @" + strings.Repeat("x", 5000),
		"app/docs/a.md": "a", "app/bin.md": "a\x00b @docs/a.md", "app/huge.md": strings.Repeat("x", 4<<20+1), "key.md": "document", "app/a.md": "a",
	})
	w.link("nowhere", "app/CLAUDE.local.md")
	equal(t, "given", w.given(w.open("app/CLAUDE.md")), []string{
		"CLAUDE.md*", "docs: it is a folder", "bin.md", "docs/a.md", "huge.md: it is larger than the agent reads", "~/key.md", "/etc: it is a folder",
		"none.md: it doesn't exist, and CLAUDE.md imports it", "x@y.md: it doesn't exist, and CLAUDE.md imports it", "CLAUDE.local.md: its link leads nowhere",
	})
}
