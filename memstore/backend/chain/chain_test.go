package chain_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/chain"
)

// world is a home folder with files in it.
type world struct {
	t    *testing.T
	home string
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t, home}
	for name, text := range files {
		w.write(name, text)
	}
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.home, filepath.FromSlash(name)) }

func (w *world) write(name, text string) {
	w.t.Helper()
	must(w.t, os.MkdirAll(filepath.Dir(w.path(name)), 0o700))
	must(w.t, os.WriteFile(w.path(name), []byte(text), 0o600))
}

func (w *world) link(target, name string) {
	w.t.Helper()
	must(w.t, os.MkdirAll(filepath.Dir(w.path(name)), 0o700))
	if err := os.Symlink(filepath.FromSlash(target), w.path(name)); err != nil {
		w.t.Skip("no links here:", err)
	}
}

func (w *world) open(file string) *chain.Chain {
	w.t.Helper()
	c, err := chain.Open(w.path(file), chain.Machine{System: runtime.GOOS, Home: w.home})
	must(w.t, err)
	w.t.Cleanup(func() { _ = c.Close() })
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// names lists the files of a chain, with "!" for read-only ones and their targets for links. Files of this machine itself are left out.
func names(t *testing.T, b backend.Backend) []string {
	t.Helper()
	var list []string
	var walk func(at string)
	walk = func(at string) {
		entries, err := b.ReadDir(at)
		must(t, err)
		for _, e := range entries {
			name := backend.JoinName(at, e.Name)
			switch {
			case strings.HasPrefix(name, "1-system"):
			case e.Kind == backend.KindDir:
				walk(name)
			case e.Kind == backend.KindLink:
				to, err := b.Readlink(name)
				must(t, err)
				list = append(list, name+" -> "+to)
			case e.Mode&0o200 == 0:
				list = append(list, name+" !")
			default:
				list = append(list, name)
			}
		}
	}
	walk(".")
	return list
}

func read(t *testing.T, b backend.Backend, name string, a backend.Access) string {
	t.Helper()
	data, err := backend.ReadFile(b, name, a, 1<<20)
	must(t, err)
	return string(data)
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

func TestClaudeChain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		".claude/CLAUDE.md":              "Be brief. @notes/style.md @~/elsewhere/more.md",
		".claude/notes/style.md":         "style",
		".claude/rules/go.md":            "gofmt",
		"elsewhere/more.md":              "more",
		"src/CLAUDE.md":                  "above",
		"src/app/.git/HEAD":              "ref",
		"src/app/CLAUDE.md":              "See @docs/a.md, @package.json and `@docs/code.md`. @docs/none.md",
		"src/app/CLAUDE.local.md":        "mine",
		"src/app/.claude/CLAUDE.md":      "second",
		"src/app/.claude/rules/x.md":     "---\npaths:\n  - src\n---\nonly there",
		"src/app/.claude/rules/d/y.md":   "always",
		"src/app/.claude/rules/skip.txt": "no rule",
		"src/app/docs/a.md":              "see @b.md",
		"src/app/docs/b.md":              "end, and back: @a.md",
		"src/app/docs/code.md":           "not imported",
		"src/app/package.json":           "{}",
		"src/app/cmd/CLAUDE.md":          "cmd",
		"src/app/lib/CLAUDE.md":          "another folder",
	})
	c := w.open("src/app/cmd/CLAUDE.md")
	depth := len(strings.Split(strings.Trim(filepath.ToSlash(w.path("src")), "/"), "/"))
	above := "3-above/" + string(rune('0'+depth/10)) + string(rune('0'+depth%10))
	got := names(t, c)
	for i, n := range got {
		if strings.HasPrefix(n, "5-imports/more-") {
			got[i] = "5-imports/more !"
		}
	}
	equal(t, "files", got, []string{
		"2-user/CLAUDE.md", "2-user/notes/style.md !", "2-user/rules/go.md", above + "/CLAUDE.md",
		"4-project/CLAUDE.local.md", "4-project/CLAUDE.md", "4-project/cmd/CLAUDE.md", "4-project/docs/a.md", "4-project/docs/b.md",
		"4-project/dot-claude/CLAUDE.md", "4-project/dot-claude/rules/d/y.md", "4-project/dot-claude/rules/x.md",
		"4-project/package.json !", "5-imports/more !",
	})
	pieces, err := c.Pieces(t.Context())
	must(t, err)
	var order []string
	for _, p := range pieces {
		if rel, err := filepath.Rel(w.home, p.Path); err == nil && !strings.HasPrefix(rel, "..") {
			order = append(order, filepath.ToSlash(rel)+[]string{"", " on demand", " shadowed", " missing", " refused"}[p.State])
		}
	}
	equal(t, "order", order, []string{
		".claude/CLAUDE.md", ".claude/notes/style.md", "elsewhere/more.md", ".claude/rules/go.md", "src/CLAUDE.md",
		"src/app/CLAUDE.md", "src/app/docs/a.md", "src/app/docs/b.md", "src/app/package.json", "src/app/docs/none.md missing",
		"src/app/.claude/CLAUDE.md", "src/app/.claude/rules/d/y.md", "src/app/.claude/rules/x.md on demand", "src/app/CLAUDE.local.md",
		"src/app/cmd/CLAUDE.md",
	})
	if got := read(t, c, "4-project/package.json", backend.Look); got != "{}" {
		t.Errorf("package.json is %q", got)
	}
}

func TestWritesStayInTheChain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		".claude/CLAUDE.md":          "user @~/out/o.md",
		"out/o.md":                   "o",
		"app/CLAUDE.md":              "See @docs/a.md, @run.sh and @docs/new.md.",
		"app/docs/a.md":              "a",
		"app/docs/other.md":          "other",
		"app/run.sh":                 "true",
		"app/.claude/settings.json":  "{}",
		"app/.claude/rules/x.md":     "x",
		"app/.claude/rules/d/y.md":   "y",
		"app/.claude/rules/d/z.toml": "z",
		"app/.claude/rules/e/y.md":   "y",
	})
	c := w.open("app/CLAUDE.md")
	for name, want := range map[string]error{
		"notes.md": backend.ErrNotLoaded, "4-project/docs/other.md": backend.ErrNotLoaded, "5-imports/x.md": backend.ErrNotLoaded,
		"1-system/CLAUDE.md": backend.ErrFixed, "4-project/docs/new.md": nil, "4-project/dot-claude/rules/deep/n.md": nil,
	} {
		if err := c.Takes(name); !errors.Is(err, want) {
			t.Errorf("takes %s: %v, want %v", name, err, want)
		}
	}
	for name, want := range map[string]error{
		"4-project/CLAUDE.md": nil, "4-project/run.sh": backend.ErrFixed, "4-project/none.md": backend.ErrNotExist,
		"5-imports/o-" + imported(t, c) + ".md": backend.ErrFixed,
	} {
		if err := c.Changes(name); !errors.Is(err, want) {
			t.Errorf("changes %s: %v, want %v", name, err, want)
		}
	}
	for _, s := range []struct {
		what string
		err  error
		want error
	}{
		{"edit", c.Replace("4-project/CLAUDE.md", []byte("See @docs/a.md, @run.sh and @docs/new.md."),
			[]byte("See @docs/a.md, @run.sh and @docs/new.md!")), nil},
		{"stale", c.Replace("4-project/CLAUDE.md", []byte("old"), []byte("new")), backend.ErrChanged},
		{"import", c.Replace("4-project/docs/a.md", []byte("a"), []byte("b")), nil},
		{"script", c.Replace("4-project/run.sh", []byte("true"), []byte("false")), backend.ErrFixed},
		{"outside", c.Replace("5-imports/o-"+imported(t, c)+".md", []byte("o"), []byte("p")), backend.ErrFixed},
		{"no part", c.Replace("4-project/docs/other.md", []byte("other"), nil), backend.ErrChanged},
		{"settings", c.Create("4-project/dot-claude/settings.json", nil), backend.ErrNotLoaded},
		{"hidden", c.Create("4-project/.claude/rules/h.md", nil), backend.ErrNotLoaded},
		{"anywhere", c.Create("4-project/notes.md", nil), backend.ErrNotLoaded},
		{"top", c.Create("notes.md", nil), backend.ErrNotLoaded},
		{"other folder", c.Create("4-project/docs/CLAUDE.md", nil), backend.ErrNotLoaded},
		{"rule", c.Create("4-project/dot-claude/rules/deep/n.md", []byte("n")), nil},
		{"no rule", c.Create("4-project/dot-claude/rules/n.toml", nil), backend.ErrNotLoaded},
		{"local", c.Create("4-project/CLAUDE.local.md", []byte("l")), nil},
		{"wanted", c.Create("4-project/docs/new.md", []byte("w")), nil},
		{"user rule", c.Create("2-user/rules/u.md", []byte("u")), nil},
		{"there", c.Create("4-project/CLAUDE.md", nil), backend.ErrExist},
		{"below a file", c.Create("4-project/CLAUDE.md/x.md", nil), backend.ErrNotDir},
		{"import elsewhere", c.Create("5-imports/x.md", nil), backend.ErrNotLoaded},
		{"move", c.Rename("4-project/dot-claude/rules/x.md", "4-project/dot-claude/rules/d/x.md"), nil},
		{"move out", c.Rename("4-project/CLAUDE.local.md", "4-project/x.md"), backend.ErrNotLoaded},
		{"promote", c.Rename("4-project/dot-claude/rules/e/y.md", "2-user/rules/y.md"), backend.ErrNotLoaded},
		{"move folder", c.Rename("4-project/dot-claude/rules/e", "4-project/dot-claude/rules/f"), backend.ErrFixed},
		{"folder", c.Remove("4-project/dot-claude/rules/d"), backend.ErrFixed},
		{"file", c.Remove("4-project/CLAUDE.local.md"), nil},
	} {
		if s.want == nil && s.err != nil || !errors.Is(s.err, s.want) {
			t.Errorf("%s: %v, want %v", s.what, s.err, s.want)
		}
	}
	var disk []string
	must(t, filepath.WalkDir(w.home, func(at string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(w.home, at)
			text, _ := os.ReadFile(at)
			disk = append(disk, filepath.ToSlash(rel)+"="+string(text))
		}
		return err
	}))
	equal(t, "disk", disk, []string{
		".claude/CLAUDE.md=user @~/out/o.md", ".claude/rules/u.md=u", "app/.claude/rules/d/x.md=x", "app/.claude/rules/d/y.md=y",
		"app/.claude/rules/d/z.toml=z", "app/.claude/rules/deep/n.md=n", "app/.claude/rules/e/y.md=y", "app/.claude/settings.json={}",
		"app/CLAUDE.md=See @docs/a.md, @run.sh and @docs/new.md!", "app/docs/a.md=b", "app/docs/new.md=w", "app/docs/other.md=other",
		"app/run.sh=true", "out/o.md=o",
	})
}

// imported is the digest in the name of the only import from elsewhere.
func imported(t *testing.T, b backend.Backend) string {
	t.Helper()
	for _, n := range names(t, b) {
		if rest, ok := strings.CutPrefix(n, "5-imports/o-"); ok {
			return strings.TrimSuffix(rest, ".md !")
		}
	}
	t.Fatal("no import")
	return ""
}
