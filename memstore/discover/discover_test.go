package discover_test

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"memcurator/memstore/discover"
)

func TestFind(t *testing.T) {
	home := t.TempDir()
	t.Chdir(t.TempDir())
	write := func(file string, age time.Duration) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
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
	got := discover.Local(home, nil).Find(t.Context(), []discover.Place{{"mine", mine}, {"gone", filepath.Join(home, "gone")},
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
		have = append(have, strings.TrimSpace(fmt.Sprintf("%s %s %d %v %v %s", f.Name, f.Dir, f.Files, f.Missing, f.More, f.Problem)))
	}
	for i := range want {
		want[i] = strings.TrimSpace(want[i])
	}
	if fmt.Sprint(have) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", have, want)
	}
	if age := time.Since(got[2].Newest); age < 59*time.Minute || age > 61*time.Minute {
		t.Errorf("newest %v", got[2].Newest)
	}
}

// A directory of the configuration without a name may stand for many.
func TestFindOwnPlaces(t *testing.T) {
	slashes(t)
	files := fstest.MapFS{"srv/a/memory/x.md": {}, "srv/b/memory/y.md": {}, "srv/c/other/z.md": {}, "notes/n.md": {}}
	m := discover.Machine{System: "linux", Files: mapped{"/w", files}}
	var got []string
	for _, f := range m.Find(t.Context(), []discover.Place{{"", "/srv/*/memory"}, {"", "/notes"}, {"", "/none"}, {"", "/none/*"}}) {
		got = append(got, fmt.Sprint(f.Dir, " ", f.Files, " ", f.Missing))
	}
	if want := []string{"/notes 1 false", "/none 0 true", "/srv/a/memory 1 false", "/srv/b/memory 1 false"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// mapped is a tree of files, with a working directory. Its paths have slashes.
type mapped struct {
	work  string
	files fstest.MapFS // names as io/fs has them: home/ann/memories/a.md
}

// slashes skips a test of a made-up machine where paths have other separators.
func slashes(t *testing.T) {
	t.Helper()
	if filepath.Separator != '/' {
		t.Skip("the paths of this test have slashes")
	}
}

func (m mapped) name(path string) string {
	full, _ := m.Abs(path)
	return cmp.Or(strings.Trim(full, "/"), ".")
}

func (m mapped) Abs(path string) (string, error) {
	if !strings.HasPrefix(path, "/") {
		return m.work + "/" + path, nil
	}
	return path, nil
}

func (m mapped) Resolve(path string) (string, error) { return m.Abs(path) }

func (m mapped) Stat(path string) (fs.FileInfo, error) { return m.files.Stat(m.name(path)) }
func (m mapped) Open(path string) (io.ReadCloser, error) {
	return m.files.Open(m.name(path))
}
func (m mapped) ReadDir(path string, n int) ([]fs.DirEntry, error) {
	entries, err := m.files.ReadDir(m.name(path))
	if n > 0 && len(entries) > n {
		entries = entries[:n]
	}
	return entries, err
}
