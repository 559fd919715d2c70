package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
	"memcurator/memstore"
)

// viewOf is what the library's view returns.
func viewOf(t *testing.T, dir, path string, lines []int) string {
	t.Helper()
	s, err := memstore.Open(dir, memstore.Options{})
	must(t, err)
	defer s.Close()
	r := s.View(t.Context(), path, lines)
	if r.IsError {
		t.Fatal(r.Content)
	}
	return r.Content
}

func TestLsAndCatPrintWhatViewReturns(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{
		"a.md": "one\ntwo\nthree\nfour\n", "sub/b.md": "b", "empty.md": "", ".hidden": "x",
		"large.md": strings.Repeat("0123456789 é\n", 200_000), "sub/hostile.md": "\x1b[31mred\rgone\u202e\n",
	})
	for _, c := range []struct {
		args  []string
		path  string
		lines []int
	}{
		{[]string{dir}, "/memories", nil},
		{[]string{"--dir", dir}, "/memories", nil},
		{[]string{"/memories/a.md", "--dir", dir}, "/memories/a.md", nil},
		{[]string{dir, "/memories/empty.md"}, "/memories/empty.md", nil},
		{[]string{dir, "/memories/large.md"}, "/memories/large.md", nil},
		{[]string{dir, "/memories/sub/hostile.md"}, "/memories/sub/hostile.md", nil},
		{[]string{dir, "/memories/a.md", "--range", "2:3"}, "/memories/a.md", []int{2, 3}},
		{[]string{dir, "/memories/a.md", "--range", "2:"}, "/memories/a.md", []int{2, -1}},
		{[]string{dir, "/memories/a.md", "--range=:2"}, "/memories/a.md", []int{1, 2}},
	} {
		want := viewOf(t, dir, c.path, c.lines)
		for _, name := range []string{"ls", "cat"} {
			o := do(t, append([]string{name}, c.args...)...)
			if o != (outcome{0, want, ""}) {
				t.Errorf("%s %q: status %d, %d bytes for %d, %q", name, c.args, o.code, len(o.out), len(want), o.err)
			}
		}
	}
}

func TestStoreNaming(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	named := newStore(t, map[string]string{"named": ""})
	other := newStore(t, map[string]string{"other": ""})

	for _, args := range [][]string{{}, {"ls"}, {"cat", "/memories/a"}, {"exec"}, {"exec", "--create"}} {
		do(t, args...).sentence(t, session.ExitFailed, session.EnvDir, "./memories", "./memory/memories")
	}
	if found, _ := os.ReadDir(here); len(found) > 0 {
		t.Errorf("something was made: %v", found)
	}
	holds := func(name string, c call) {
		t.Helper()
		if o := c.run(t); o.code != 0 || !strings.Contains(o.out, "/memories/"+name) {
			t.Errorf("%q: %+v", c.args, o)
		}
	}
	makeFile := func(name string) {
		t.Helper()
		must(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must(t, os.WriteFile(name, nil, 0o600))
	}
	env := map[string]string{session.EnvDir: named}
	makeFile("memory/memories/second")
	holds("second", call{args: []string{"ls"}})
	makeFile("memories") // a file is not a store
	holds("second", call{args: []string{"ls"}})
	must(t, os.Remove("memories"))
	makeFile("memories/first")
	holds("first", call{args: []string{"ls"}})
	holds("first", call{args: []string{"ls", "/memories"}})
	holds("named", call{args: []string{"ls"}, env: env})
	holds("other", call{args: []string{"ls", other}, env: env})
	holds("other", call{args: []string{"--dir", other, "ls"}, env: env})
	call{args: []string{"ls"}, env: map[string]string{session.EnvDir: "gone"}}.run(t).sentence(t, session.ExitFailed,
		"No directory gone")
}
