package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/backend/files"
	"memcurator/memstore/memtest"
)

// world is a home folder with files in it.
type world struct {
	t    *testing.T
	home string
}

func newWorld(t *testing.T, texts map[string]string) *world {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t, home}
	for name, text := range texts {
		w.write(name, text)
	}
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.home, filepath.FromSlash(name)) }

func (w *world) write(name, text string) {
	w.t.Helper()
	memtest.WriteFiles(w.t, w.home, map[string]string{name: text})
}

func (w *world) link(target, name string) {
	w.t.Helper()
	must(w.t, os.MkdirAll(filepath.Dir(w.path(name)), 0o700))
	if err := os.Symlink(filepath.FromSlash(target), w.path(name)); err != nil {
		w.t.Skip("no links here:", err)
	}
}

// open opens the store of a file; variables are NAME=VALUE.
func (w *world) open(file string, variables ...string) *files.Folder {
	w.t.Helper()
	f, err := files.Open(w.path(file), files.Machine{Home: w.home, Getenv: func(name string) string {
		for _, v := range variables {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value
			}
		}
		return ""
	}})
	must(w.t, err)
	w.t.Cleanup(func() { _ = f.Close() })
	return f
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// names lists the files of a store, with "!" for those that can only be read.
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
			case e.Kind == backend.KindDir:
				walk(name)
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

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// A store has the instruction files of one folder, and a new file can be made only where the agent reads it.
func TestFilesOfAFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		".claude/CLAUDE.md": "user", ".claude/rules/u.md": "u", ".claude/settings.json": "{}",
		"app/.git/HEAD": "ref", "app/CLAUDE.md": "See @docs/a.md", "app/docs/a.md": "a", "app/cmd/CLAUDE.md": "cmd", "app/main.go": "package main",
		"app/.claude/settings.json": "{}", "app/.claude/CLAUDE.md": "second", "app/.claude/rules/x.md": "x", "app/.claude/rules/d/y.md": "y",
		"app/.claude/rules/d/z.toml": "z", "app/AGENTS.md": "agents", "plain/CLAUDE.md": "plain", "plain/.claude/settings.json": "{}",
	})
	for file, want := range map[string][]string{
		"app/CLAUDE.md":     {"CLAUDE.md", "dot-claude/CLAUDE.md", "dot-claude/rules/d/y.md", "dot-claude/rules/x.md"},
		"app/cmd/CLAUDE.md": {"CLAUDE.md"}, "app/AGENTS.md": {"AGENTS.md"}, "plain/CLAUDE.md": {"CLAUDE.md"},
		".claude/CLAUDE.md": {"CLAUDE.md", "rules/u.md"}, "app/.claude/rules/d/y.md": {"CLAUDE.md", "dot-claude/CLAUDE.md", "dot-claude/rules/d/y.md",
			"dot-claude/rules/x.md"},
	} {
		equal(t, file, names(t, w.open(file)), want)
	}
	if entries, err := w.open("plain/CLAUDE.md").ReadDir("."); err != nil || len(entries) != 1 {
		t.Errorf("a folder without instruction files is listed: %v, %v", entries, err)
	}
	f := w.open("app/CLAUDE.md")
	for _, s := range []struct {
		what string
		err  error
		want error
	}{
		{"edit", f.Replace("CLAUDE.md", []byte("See @docs/a.md"), []byte("See @docs/a.md!")), nil},
		{"stale", f.Replace("CLAUDE.md", []byte("old"), []byte("new")), backend.ErrChanged},
		{"no part", f.Replace("docs/a.md", []byte("a"), nil), backend.ErrChanged},
		{"settings", f.Create("dot-claude/settings.json", nil), backend.ErrNotLoaded},
		{"hidden", f.Create(".claude/rules/h.md", nil), backend.ErrNotLoaded},
		{"anywhere", f.Create("notes.md", nil), backend.ErrNotLoaded},
		{"other folder", f.Create("cmd/CLAUDE.md", nil), backend.ErrNotLoaded},
		{"below a file", f.Create("CLAUDE.md/x.md", nil), backend.ErrNotLoaded},
		{"rule", f.Create("dot-claude/rules/deep/n.md", []byte("n")), nil},
		{"no rule", f.Create("dot-claude/rules/n.toml", nil), backend.ErrNotLoaded},
		{"local", f.Create("CLAUDE.local.md", []byte("l")), nil},
		{"there", f.Create("CLAUDE.md", nil), backend.ErrExist},
		{"move", f.Rename("dot-claude/rules/x.md", "dot-claude/rules/d/x.md"), nil},
		{"move out", f.Rename("CLAUDE.local.md", "x.md"), backend.ErrNotLoaded},
		{"move folder", f.Rename("dot-claude/rules/d", "dot-claude/rules/e"), backend.ErrFixed},
		{"folder", f.Remove("dot-claude/rules/d"), backend.ErrFixed},
		{"file", f.Remove("CLAUDE.local.md"), nil},
		{"changes", f.Changes("CLAUDE.md"), nil},
		{"changes not", f.Changes("main.go"), backend.ErrNotExist},
	} {
		if s.want == nil && s.err != nil || !errors.Is(s.err, s.want) {
			t.Errorf("%s: %v, want %v", s.what, s.err, s.want)
		}
	}
	var disk []string
	must(t, filepath.WalkDir(w.path("app"), func(at string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(w.path("app"), at)
			text, _ := os.ReadFile(at)
			disk = append(disk, filepath.ToSlash(rel)+"="+string(text))
		}
		return err
	}))
	equal(t, "disk", disk, []string{
		".claude/CLAUDE.md=second", ".claude/rules/d/x.md=x", ".claude/rules/d/y.md=y", ".claude/rules/d/z.toml=z", ".claude/rules/deep/n.md=n",
		".claude/settings.json={}", ".git/HEAD=ref", "AGENTS.md=agents", "CLAUDE.md=See @docs/a.md!", "cmd/CLAUDE.md=cmd", "docs/a.md=a",
		"main.go=package main",
	})
	if name, ok := f.NameOf(w.path("app/.claude/CLAUDE.md")); !ok || name != "dot-claude/CLAUDE.md" {
		t.Errorf("the name of a file is %q, %v", name, ok)
	}
	for _, file := range []string{"app/main.go", "app/CLAUDE.local.md", ".claude/CLAUDE.md"} {
		if name, ok := f.NameOf(w.path(file)); ok {
			t.Errorf("%s is in the store, as %s", file, name)
		}
	}
	if _, err := files.Open(w.path("app/main.go"), files.Machine{Home: w.home}); !errors.Is(err, backend.ErrNotRegular) {
		t.Errorf("a program is opened: %v", err)
	}
}

// A link in the folder is followed, one that leads out is read, and neither is removed.
func TestLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		"dotfiles/local.md": "mine", "dotfiles/rules/r.md": "r", "dotfiles/key": "secret", "app/AGENTS.md": "agents", "app/.claude/rules/own.md": "own",
	})
	w.link("AGENTS.md", "app/CLAUDE.md")
	w.link(filepath.Join(w.home, "dotfiles", "rules"), "app/.claude/rules/shared")
	w.link("../rules", "app/.claude/rules/loop")
	w.link("../../../dotfiles/key", "app/.claude/rules/key.md")
	w.link("../dotfiles/local.md", "app/CLAUDE.local.md")
	f := w.open("app/CLAUDE.md")
	equal(t, "files", names(t, f), []string{"CLAUDE.local.md !", "CLAUDE.md", "dot-claude/rules/key.md !", "dot-claude/rules/own.md"})
	for name, want := range map[string]string{"CLAUDE.md": "agents", "CLAUDE.local.md": "mine"} {
		if got, err := backend.ReadFile(f, name, backend.Use, 100); err != nil || string(got) != want {
			t.Errorf("through the link %s: %q, %v", name, got, err)
		}
	}
	must(t, f.Replace("CLAUDE.md", []byte("agents"), []byte("new")))
	if text, err := os.ReadFile(w.path("app/AGENTS.md")); err != nil || string(text) != "new" {
		t.Errorf("AGENTS.md is %q, %v", text, err)
	}
	if info, err := os.Lstat(w.path("app/CLAUDE.md")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	for what, err := range map[string]error{
		"link out":    f.Replace("CLAUDE.local.md", []byte("mine"), nil),
		"changes":     f.Changes("dot-claude/rules/key.md"),
		"shared":      f.Replace("dot-claude/rules/shared/r.md", []byte("r"), nil),
		"remove link": f.Remove("dot-claude/rules/key.md"),
		"remove":      f.Remove("CLAUDE.md"),
		"move":        f.Rename("CLAUDE.md", "dot-claude/CLAUDE.md"),
	} {
		if !errors.Is(err, backend.ErrFixed) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if f.Create("dot-claude/rules/shared/new.md", nil) == nil {
		t.Error("a file was made behind a link that leads out")
	}
	for name, want := range map[string]string{"local.md": "mine", "rules/r.md": "r", "key": "secret"} {
		if text, err := os.ReadFile(w.path("dotfiles/" + name)); err != nil || string(text) != want {
			t.Errorf("outside is %s: %q, %v", name, text, err)
		}
	}
}

// What a command says holds no path of this machine.
func TestNoPathsOfTheMachine(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"app/CLAUDE.md": "See @~/x/o.md", "x/o.md": "o"})
	w.link("../x/o.md", "app/CLAUDE.local.md")
	s := memstore.New(w.open("app/CLAUDE.md"), memstore.Options{})
	for _, c := range []memstore.Command{
		{Name: memstore.CmdView, Path: "/memories"}, {Name: memstore.CmdView, Path: "/memories/CLAUDE.local.md"},
		{Name: memstore.CmdStrReplace, Path: "/memories/CLAUDE.local.md", OldStr: "o", NewStr: "p"},
		{Name: memstore.CmdDelete, Path: "/memories/CLAUDE.local.md"}, {Name: memstore.CmdCreate, Path: "/memories/x.md", FileText: "x"},
		{Name: memstore.CmdRename, OldPath: "/memories/CLAUDE.md", NewPath: "/memories/x.md"},
	} {
		r := s.Do(t.Context(), c)
		if strings.Contains(r.Content, filepath.Base(w.home)) || c.Name != memstore.CmdView && !r.IsError {
			t.Errorf("%+v: %v %q", c, r.IsError, r.Content)
		}
	}
}
