package discover_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/discover"
	"memcurator/memstore/memtest"
)

// found are the stores of a machine, by their paths.
func found(t testing.TB, m discover.Machine, named []discover.Place) (list []discover.Found) {
	t.Helper()
	m.Each(t.Context(), named, func(f discover.Found) { list = append(list, f) })
	slices.SortFunc(list, func(a, b discover.Found) int { return strings.Compare(a.Path, b.Path) })
	return list
}

func TestFind(t *testing.T) {
	home := t.TempDir()
	t.Chdir(t.TempDir())
	write := func(file string, age time.Duration) {
		t.Helper()
		memtest.WriteFiles(t, filepath.Dir(file), map[string]string{filepath.Base(file): "x"})
		at := time.Now().Add(-age)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	old := filepath.Join(home, ".claude", "projects", "old", "memory")
	fresh := filepath.Join(home, ".claude", "projects", "fresh", "memory")
	mine := filepath.Join(home, "mine")
	write(filepath.Join(old, "MEMORY.md"), 48*time.Hour)
	write(filepath.Join(fresh, "MEMORY.md"), time.Hour)
	write(filepath.Join(fresh, "deep", "er", "a.md"), 2*time.Hour)
	write(filepath.Join(fresh, ".git", "objects", "ab"), 0) // a commit is not counted
	write(filepath.Join(mine, "a.md"), 96*time.Hour)
	write(filepath.Join(home, ".claude", "projects", "none", "x.jsonl"), 0)
	write(filepath.Join(home, ".claude", "projects", "file", "memory"), 0) // no directory
	if err := os.MkdirAll("memories", 0o700); err != nil {
		t.Fatal(err)
	}
	got := found(t, discover.Local(home, nil), []discover.Place{{"mine", mine}, {"gone", filepath.Join(home, "gone")},
		{"again", fresh}})
	work, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"mine " + mine + " 1 false false", "gone " + filepath.Join(home, "gone") + " 0 true false",
		"again " + fresh + " 2 false false", " " + old + " 1 false false",
		" " + filepath.Join(home, ".claude", "projects", "file", "memory") + " 0 false false Expected a folder, found a file",
		" " + filepath.Join(work, "memories") + " 0 false false"}
	var have []string
	for _, f := range got {
		have = append(have, strings.TrimSpace(fmt.Sprintf("%s %s %d %v %v %s", f.Name, f.Path, f.Files, f.Missing, f.More, f.Problem)))
	}
	for i := range want {
		want[i] = strings.TrimSpace(want[i])
	}
	slices.Sort(have)
	slices.Sort(want)
	if fmt.Sprint(have) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", have, want)
	}
	for _, f := range got {
		if age := time.Since(f.Newest); f.Path == fresh && (age < 59*time.Minute || age > 61*time.Minute) {
			t.Errorf("newest %v", f.Newest)
		}
	}
}

// A directory of the configuration without a name may stand for many.
func TestFindOwnPlaces(t *testing.T) {
	root := disk(t, map[string]string{"srv/a/memory/x.md": "", "srv/b/memory/y.md": "", "srv/c/other/z.md": "", "notes/n.md": "", "home/": "", "work/": ""})
	t.Chdir(filepath.Join(root, "work"))
	var got []string
	m := discover.Local(filepath.Join(root, "home"), nil)
	for _, f := range found(t, m, []discover.Place{{"", root + "/srv/*/memory"}, {"", root + "/notes"}, {"", root + "/none"}, {"", root + "/none/*"}}) {
		got = append(got, fmt.Sprint(strings.TrimPrefix(f.Path, root), " ", f.Files, " ", f.Missing))
	}
	slices.Sort(got)
	if want := []string{"/none 0 true", "/notes 1 false", "/srv/a/memory 1 false", "/srv/b/memory 1 false"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// disk writes files below a folder, and returns the folder: the root of a made-up disk. A name that ends in a slash is a folder. ROOT in a
// name is the root, as agents write a path in a name; in a text it is the root itself.
func disk(t *testing.T, files map[string]string) string {
	t.Helper()
	if filepath.Separator != '/' {
		t.Skip("the paths of this test have slashes")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, strings.ReplaceAll(name, "ROOT", dashed(root)))
		dir := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			dir = path
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if dir == path {
			continue
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "ROOT", root)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// dashed is a path in the name of a folder of Claude Code.
func dashed(path string) string {
	return regexp.MustCompile(`[^a-zA-Z0-9]`).ReplaceAllString(path, "-")
}
