package chain_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
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
	if _, err := c.Open("4-project/dot-claude/rules/key.md", backend.Use); !errors.Is(err, backend.ErrPrivate) {
		t.Errorf("an agent reads through a link of its own: %v", err)
	}
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

func TestManyImports(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	files := map[string]string{}
	for i := range 2000 {
		fmt.Fprintf(&text, "@d/%d.md\n", i)
		files[fmt.Sprintf("app/d/%d.md", i)] = ""
	}
	for i := range 10_000 {
		fmt.Fprintf(&text, "@none/%d.md\n", i)
	}
	files["app/CLAUDE.md"] = text.String()
	w := newWorld(t, files)
	c := w.open("app/CLAUDE.md")
	if n := len(names(t, c)); n < 900 || n > 1001 {
		t.Errorf("%d files", n)
	}
	pieces, err := c.Pieces(t.Context())
	if err != nil || len(pieces) > 1001 {
		t.Fatalf("%d pieces, %v", len(pieces), err)
	}
	if last := pieces[len(pieces)-1]; last.State != chain.Refused || !strings.HasPrefix(last.Why, "more than 1,000 files") {
		t.Errorf("the imports that are left out are not named: %+v", last)
	}
}

func TestClosedFiles(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("this user may read everything")
	}
	w := newWorld(t, map[string]string{"app/CLAUDE.md": "@docs/a.md @b.md", "app/docs/a.md": "a", "app/b.md": "b", "app/.claude/rules/r.md": "r"})
	must(t, os.Chmod(w.path("app/docs"), 0))
	must(t, os.Chmod(w.path("app/b.md"), 0))
	must(t, os.Chmod(w.path("app/.claude/rules"), 0))
	t.Cleanup(func() {
		_ = os.Chmod(w.path("app/docs"), 0o700)
		_ = os.Chmod(w.path("app/.claude/rules"), 0o700)
	})
	c := w.open("app/CLAUDE.md")
	equal(t, "pieces", w.states(c), []string{
		"app/CLAUDE.md", "app/docs/a.md missing", "app/b.md refused: permission denied", "app/.claude/rules refused: permission denied",
	})
}

func TestGoneProject(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"app/CLAUDE.md": "x", ".claude/CLAUDE.md": "mine"})
	c := w.open("app/CLAUDE.md")
	must(t, os.RemoveAll(w.path(".claude")))
	equal(t, "files", names(t, c), []string{"4-project/CLAUDE.md"})
	must(t, os.Rename(w.path("app"), w.path("away")))
	if _, err := c.ReadDir("."); !errors.Is(err, backend.ErrUnavailable) {
		t.Errorf("ReadDir: %v", err)
	}
	if err := c.Create("4-project/CLAUDE.local.md", nil); !errors.Is(err, backend.ErrUnavailable) {
		t.Errorf("Create: %v", err)
	}
	must(t, os.Rename(w.path("away"), w.path("app")))
	must(t, c.Create("2-user/rules/new.md", []byte("new")))
	equal(t, "files", names(t, c), []string{"2-user/rules/new.md", "4-project/CLAUDE.md"})
	must(t, c.Close())
	if _, err := c.ReadDir("."); !errors.Is(err, backend.ErrUnavailable) {
		t.Errorf("ReadDir after Close: %v", err)
	}
	if _, err := chain.Open(w.path("app/notes.sh"), chain.Machine{Home: w.home}); !errors.Is(err, backend.ErrNotRegular) {
		t.Errorf("Open of another file: %v", err)
	}
	if _, err := chain.Open(w.path("gone/CLAUDE.md"), chain.Machine{Home: w.home}); !errors.Is(err, backend.ErrNotExist) {
		t.Errorf("Open in a missing folder: %v", err)
	}
}

// Two chains that share the user's files lose no edit, and don't wait for each other forever.
func TestTwoChainsShareFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"a/CLAUDE.md": "a", "b/CLAUDE.md": "b", ".claude/CLAUDE.md": "0\n"})
	const each = 10
	var group sync.WaitGroup
	for _, file := range []string{"a/CLAUDE.md", "b/CLAUDE.md"} {
		s := memstore.New(w.open(file), memstore.Options{})
		group.Go(func() {
			for i := range each {
				r := s.Do(t.Context(), memstore.Command{
					Name: memstore.CmdInsert, Path: "/memories/2-user/CLAUDE.md", InsertLine: 0, InsertText: fmt.Sprintf("%s %d\n", file, i),
				})
				if r.IsError {
					t.Errorf("%s: %s", file, r.Content)
				}
			}
		})
	}
	group.Wait()
	text, err := os.ReadFile(w.path(".claude/CLAUDE.md"))
	must(t, err)
	if n := strings.Count(string(text), "\n"); n != 2*each+1 {
		t.Errorf("%d lines: %q", n, text)
	}
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
