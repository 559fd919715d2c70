package chain_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/backend/chain"
)

// states are the pieces of a chain below the home folder, with what the agent does with each.
func (w *world) states(c *chain.Chain) (list []string) {
	w.t.Helper()
	pieces, err := c.Pieces(w.t.Context())
	must(w.t, err)
	for _, p := range pieces {
		rel, err := filepath.Rel(w.home, p.Path)
		if err != nil || strings.HasPrefix(rel, "..") {
			continue
		}
		s := filepath.ToSlash(rel) + []string{"", " on demand", " shadowed", " missing", " refused", " excluded"}[p.State]
		if p.Why != "" {
			s += ": " + p.Why
		}
		list = append(list, s)
	}
	return list
}

func TestLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		"dotfiles/claude.md": "mine @more.md", "dotfiles/more.md": "more", "dotfiles/rules/r.md": "r", "dotfiles/key": "secret",
		"app/AGENTS.md": "agents", "app/.claude/rules/own.md": "own",
	})
	w.link("../dotfiles/claude.md", ".claude/CLAUDE.md")
	w.link("AGENTS.md", "app/CLAUDE.md")
	w.link(filepath.Join(w.home, "dotfiles", "rules"), "app/.claude/rules/shared")
	w.link("../rules", "app/.claude/rules/loop")
	w.link("../../../dotfiles/key", "app/.claude/rules/key.md")
	w.link("nowhere", "app/CLAUDE.local.md")
	c := w.open("app/CLAUDE.md")
	got := names(t, c)
	equal(t, "files", got, []string{
		"2-user/CLAUDE.md !", "4-project/AGENTS.md", "4-project/CLAUDE.md -> AGENTS.md", "4-project/dot-claude/rules/key.md !",
		"4-project/dot-claude/rules/own.md", "4-project/dot-claude/rules/shared/r.md !",
	})
	if got := read(t, c, "4-project/CLAUDE.md", backend.Use); got != "agents" {
		t.Errorf("through the link: %q", got)
	}
	must(t, c.Replace("4-project/CLAUDE.md", []byte("agents"), []byte("new")))
	if text, err := os.ReadFile(w.path("app/AGENTS.md")); err != nil || string(text) != "new" {
		t.Errorf("AGENTS.md is %q, %v", text, err)
	}
	if info, err := os.Lstat(w.path("app/CLAUDE.md")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	for name, err := range map[string]error{
		"user's link": c.Replace("2-user/CLAUDE.md", []byte("mine @more.md"), nil),
		"shared":      c.Replace("4-project/dot-claude/rules/shared/r.md", []byte("r"), nil),
		"new in it":   c.Create("4-project/dot-claude/rules/shared/new.md", nil),
		"remove link": c.Remove("4-project/dot-claude/rules/key.md"),
		"remove":      c.Remove("4-project/dot-claude/rules/shared"),
	} {
		if err == nil || errors.Is(err, backend.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if entries, err := os.ReadDir(w.path("dotfiles/rules")); err != nil || len(entries) != 1 {
		t.Errorf("outside are %v, %v", entries, err)
	}
	must(t, c.Remove("4-project/CLAUDE.md"))
	if _, err := os.Lstat(w.path("app/AGENTS.md")); err != nil {
		t.Error("the target of a link was removed:", err)
	}
}

func TestCyclesAndDepth(t *testing.T) {
	t.Parallel()
	files := map[string]string{"app/CLAUDE.md": "@CLAUDE.md @a/0.md", "app/GEMINI.md": "@GEMINI.md @./g/n0.md end"}
	for i := range 9 {
		files[fmt.Sprintf("app/a/%d.md", i)] = fmt.Sprintf("@%d.md @../CLAUDE.md", i+1)
		files[fmt.Sprintf("app/g/n%d.md", i)] = fmt.Sprintf("%d @n%d.md", i, i+1)
	}
	w := newWorld(t, files)
	equal(t, "4 hops", w.states(w.open("app/CLAUDE.md")), []string{"app/CLAUDE.md", "app/a/0.md", "app/a/1.md", "app/a/2.md", "app/a/3.md"})
	g := w.open("app/GEMINI.md")
	start, err := g.Start(t.Context())
	must(t, err)
	if len(start) != 1 {
		t.Fatalf("starts with %+v", start)
	}
	got := start[0].Before + string(start[0].Text([]byte(files["app/GEMINI.md"])))
	want := "--- Context from: GEMINI.md ---\n" + "<!-- Imported from: GEMINI.md -->\n" +
		"<!-- File already processed: GEMINI.md -->"
	if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "end\n--- End of Context from: GEMINI.md ---") ||
		!strings.Contains(got, "4 @n5.md\n<!-- End of import from: n4.md -->") {
		t.Errorf("the text is %q", got)
	}
}

func TestBadImports(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		"app/CLAUDE.md":             "@docs/ @docs @bin.md @huge.md @../key.md @../secret @/etc/ @none.md @user @x@y.md me@a.md @" + strings.Repeat("x", 5000),
		"app/docs/a.md":             "a",
		"app/bin.md":                "a\x00b @docs/a.md",
		"app/huge.md":               strings.Repeat("x", 4<<20+1),
		"key.md":                    "document",
		"secret":                    "none",
		"app/a.md":                  "a",
		"app/.git/HEAD":             "x",
		"app/AGENTS.md":             "a",
		".codex/AGENTS.override.md": "",
		".codex/AGENTS.md":          "mine",
	})
	c := w.open("app/CLAUDE.md")
	equal(t, "pieces", w.states(c), []string{
		"app/CLAUDE.md", "app/docs refused: it is a folder", "app/bin.md", "app/docs/a.md", "app/huge.md refused: it is larger than the agent reads",
		"key.md: it is outside the project", "secret: it is outside the project and not a document", "app/none.md missing", "app/x@y.md missing",
	})
	for _, n := range names(t, c) {
		if strings.Contains(n, "secret") {
			t.Errorf("%s is part of the store", n)
		}
	}
	equal(t, "Codex", w.states(w.open("app/AGENTS.md")), []string{
		".codex/AGENTS.override.md", ".codex/AGENTS.md shadowed: AGENTS.override.md comes first", "app/AGENTS.md",
	})
}

// What an agent gets holds no path of this machine.
func TestNoPathsOfTheMachine(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"app/CLAUDE.md": "@~/x/o.md @p.json", "x/o.md": "o", "app/p.json": "{}", "CLAUDE.md": "above"})
	s := memstore.New(w.open("app/CLAUDE.md"), memstore.Options{})
	o := "/memories/5-imports/o-" + imported(t, s.Backend()) + ".md"
	for _, c := range []memstore.Command{
		{Name: memstore.CmdView, Path: "/memories"}, {Name: memstore.CmdView, Path: "/memories/4-project"},
		{Name: memstore.CmdView, Path: o}, {Name: memstore.CmdView, Path: "/memories/4-project/p.json"},
		{Name: memstore.CmdStrReplace, Path: o, OldStr: "o", NewStr: "p"}, {Name: memstore.CmdDelete, Path: o},
		{Name: memstore.CmdCreate, Path: "/memories/x.md", FileText: "x"}, {Name: memstore.CmdDelete, Path: "/memories/4-project"},
		{Name: memstore.CmdRename, OldPath: "/memories/4-project/CLAUDE.md", NewPath: "/memories/2-user/CLAUDE.md"},
		{Name: memstore.CmdCreate, Path: "/memories/4-project/p.json", FileText: "x"},
	} {
		r := s.Do(t.Context(), c)
		if strings.Contains(r.Content, filepath.Base(w.home)) || c.Name != memstore.CmdView && !r.IsError {
			t.Errorf("%+v: %v %q", c, r.IsError, r.Content)
		}
	}
}
