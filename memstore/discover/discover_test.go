package discover_test

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
	files := fstest.MapFS{"srv/a/memory/x.md": {}, "srv/b/memory/y.md": {}, "srv/c/other/z.md": {}, "notes/n.md": {}}
	m := discover.Machine{System: "linux", Files: mapped{false, "/w", files}}
	var got []string
	for _, f := range m.Find(t.Context(), []discover.Place{{"", "/srv/*/memory"}, {"", "/notes"}, {"", "/none"}, {"", "/none/*"}}) {
		got = append(got, fmt.Sprint(f.Dir, " ", f.Files, " ", f.Missing))
	}
	if want := []string{"/notes 1 false", "/none 0 true", "/srv/a/memory 1 false", "/srv/b/memory 1 false"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// mapped is a tree of files of any system, with a working directory.
type mapped struct {
	windows bool
	work    string
	files   fstest.MapFS // names as io/fs has them: C:/Users/ann/memories/a.md
}

// name is a path as io/fs has it. A path that the system would not write is not there; Windows finds one in any case.
func (m mapped) name(path string) string {
	full, _ := m.Abs(path)
	if m.windows {
		if strings.Contains(full, "/") {
			return "written with the wrong separator"
		}
		full = m.actual(strings.ReplaceAll(full, `\`, "/"))
	}
	return cmp.Or(strings.Trim(full, "/"), ".")
}

// actual is the name of a file or folder as it was made.
func (m mapped) actual(name string) string {
	name = strings.TrimRight(name, "/")
	for file := range m.files {
		if len(file) >= len(name) && strings.EqualFold(file[:len(name)], name) && (len(file) == len(name) || file[len(name)] == '/') {
			return file[:len(name)]
		}
	}
	return name
}

func (m mapped) Abs(path string) (string, error) {
	switch {
	case m.windows && !strings.HasPrefix(strings.ToUpper(path), `C:\`):
		return m.work + `\` + path, nil
	case !m.windows && !strings.HasPrefix(path, "/"):
		return m.work + "/" + path, nil
	}
	return path, nil
}

func (m mapped) Resolve(path string) (string, error) {
	full, err := m.Abs(path)
	if m.windows {
		full = strings.ReplaceAll(m.actual(strings.ReplaceAll(full, `\`, "/")), "/", `\`)
	}
	return full, err
}

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

// What is found is the same on every system, in the paths of that system.
func TestFindOnEverySystem(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct{ system, home, work string }{
		{"linux", "/home/ann", "/home/ann/src/p"},
		{"darwin", "/Users/ann", "/Users/ann/src/p"},
		{"windows", `C:\Users\ann`, `C:\src\p`},
	} {
		t.Run(c.system, func(t *testing.T) {
			windows := c.system == "windows"
			files := fstest.MapFS{}
			put := func(at, name string, hours int) {
				at = strings.TrimPrefix(strings.ReplaceAll(at, `\`, "/"), "/")
				data := "x"
				if strings.HasSuffix(name, ".jsonl") {
					data = `{"type":"user","cwd":` + strconv.Quote(c.work) + `}`
				}
				files[at+"/"+name] = &fstest.MapFile{Data: []byte(data), ModTime: now.Add(-time.Duration(hours) * time.Hour)}
			}
			put(c.work, "memories/a.md", 5)
			put(c.work, ".claude/agent-memory/reviewer/MEMORY.md", 4)
			put(c.home, "memories/a.md", 3)
			put(c.home, ".claude/projects/one/memory/MEMORY.md", 1)
			put(c.home, ".claude/projects/one/memory/topic/b.md", 2)
			put(c.home, ".claude/projects/one/s1.jsonl", 1)
			put(c.home, ".claude/projects/one/s1/subagents/agent-1.jsonl", 2)
			put(c.home, ".claude/projects/two/s2.jsonl", 1) // has no memory
			m := discover.Machine{System: c.system, Home: c.home, Files: mapped{windows, c.work, files}}
			path := func(parts ...string) string {
				if windows {
					return strings.Join(parts, `\`)
				}
				return strings.Join(parts, "/")
			}
			memory := path(c.home, ".claude", "projects", "one", "memory")
			want := []string{
				"home " + path(c.home, "memories") + " 1 of memory tool ", "gone " + path(c.home, "gone") + " 0 of   missing",
				" " + memory + " 2 of Claude Code " + c.work,
				" " + path(c.work, ".claude", "agent-memory", "reviewer") + " 1 of Claude Code " + c.work + ", subagent reviewer",
				" " + path(c.work, "memories") + " 1 of memory tool " + c.work,
			}
			var got []string
			for _, f := range m.Find(t.Context(), []discover.Place{{"home", path(c.home, "memories")}, {"gone", path(c.home, "gone")}}) {
				row := fmt.Sprintf("%s %s %d of %s %s", f.Name, f.Dir, f.Files, f.Agent, f.Project)
				if f.Missing {
					row += " missing"
				}
				got = append(got, row)
			}
			if !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			sessions := []string{path(c.home, ".claude", "projects", "one", "s1", "subagents", "agent-1.jsonl"),
				path(c.home, ".claude", "projects", "one", "s1.jsonl")}
			if got := m.Transcripts(t.Context(), memory); !slices.Equal(got, sessions) {
				t.Errorf("beside the memory are %q, want %q", got, sessions)
			}
			if got := m.Transcripts(t.Context(), path(c.home, "memories")); got != nil {
				t.Errorf("beside no project's memory are %q", got)
			}
		})
	}
}
