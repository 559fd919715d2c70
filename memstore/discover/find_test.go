package discover_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"memcurator/memstore/discover"
)

// stuck are files of which some folders don't answer.
type stuck struct {
	mapped
	at      []string // paths of folders
	release chan struct{}
}

func (s stuck) wait(path string) {
	for _, at := range s.at {
		if path == at || strings.HasPrefix(path, at+"/") {
			<-s.release
		}
	}
}

func (s stuck) Stat(path string) (fs.FileInfo, error) {
	s.wait(path)
	return s.mapped.Stat(path)
}

func (s stuck) ReadDir(path string, n int) ([]fs.DirEntry, error) {
	s.wait(path)
	return s.mapped.ReadDir(path, n)
}

// A store that answers late is handed over again, as long as the search goes on.
func TestEachHandsOverNamesFirst(t *testing.T) {
	t.Parallel()
	slashes(t)
	files := in("memories/a.md", ".codex/memories/memory_summary.md")
	release := make(chan struct{})
	m := discover.Machine{
		System: "linux", Home: "/home/ann", Patience: time.Minute,
		Files: stuck{mapped{"/w", files}, []string{"/home/ann/memories/deep"}, release},
	}
	files["home/ann/memories/deep/b.md"] = &fstest.MapFile{}
	var seen []string
	m.Each(t.Context(), nil, func(f discover.Found) {
		if f.Kind != discover.KindDir {
			return
		}
		seen = append(seen, fmt.Sprint(filepath.Base(filepath.Dir(f.Path)), " ", f.Counted, " ", f.Files))
		if f.Path == "/home/ann/.codex/memories" && f.Counted {
			close(release)
		}
	})
	for _, want := range [][]string{{"ann false 0", "ann true 2"}, {".codex false 0", ".codex true 1"}} {
		a, b := slices.Index(seen, want[0]), slices.Index(seen, want[1])
		if a < 0 || b < a {
			t.Errorf("%q: want %q", seen, want)
		}
	}
	if len(seen) != 4 || seen[3] != "ann true 2" {
		t.Errorf("%q", seen)
	}
}

// Folders without rights, files in place of folders, and links cost a row at most, with a sentence.
func TestFindAwkwardPlaces(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Log("everything may be read here")
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
	for _, name := range []string{".hermes/memories/MEMORY.md", "elsewhere/secret.md", ".claude/projects/-a/memory/MEMORY.md",
		".claude/projects/-b/memory/deep/x.md", ".claude/projects/-b/memory/y.md"} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(at("memories"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// Nothing behind a link in place of a project's folder, or in a store, is looked at.
	for link, to := range map[string]string{".claude/projects/-link": "elsewhere", ".hermes/memories/out": "elsewhere"} {
		if err := os.Symlink(at(to), at(link)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	want := []string{
		".claude/projects/-a/memory 1 false ", ".claude/projects/-b/memory 2 false ", ".hermes/memories 1 false ",
		"memories 0 false Expected a folder, found a file",
	}
	if runtime.GOOS != "windows" && os.Getuid() != 0 {
		for _, closed := range []string{".claude/projects/-a/memory", ".claude/projects/-b/memory/deep"} {
			if err := os.Chmod(at(closed), 0); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(at(closed), 0o700) })
		}
		want[0], want[1] = ".claude/projects/-a/memory 0 false Can't read: permission denied", ".claude/projects/-b/memory 1 true "
	}
	var got []string
	for _, f := range discover.Local(home, nil).Find(t.Context(), nil) {
		if f.Kind == discover.KindDir {
			rel, _ := filepath.Rel(home, f.Path)
			got = append(got, fmt.Sprintf("%s %d %v %s", filepath.ToSlash(rel), f.Files, f.More, f.Problem))
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Two projects whose names become one share their folder: both are named.
func TestProjectsThatShareAMemory(t *testing.T) {
	t.Parallel()
	slashes(t)
	files := in(".claude/projects/-src---/memory/MEMORY.md")
	files["src/新聞"], files["src/暫存/below"] = &fstest.MapFile{Mode: fs.ModeDir | 0o700}, &fstest.MapFile{Mode: fs.ModeDir | 0o700}
	for name, cwd := range map[string]string{"a": "/src/新聞", "b": "/src/暫存/below", "c": "/src/新聞"} {
		files["home/ann/.claude/projects/-src---/"+name+".jsonl"] = &fstest.MapFile{Data: []byte(`{"cwd":"` + cwd + `"}`)}
	}
	m := discover.Machine{System: "linux", Home: "/home/ann", Files: mapped{"/w", files}}
	found := m.Find(t.Context(), nil)
	if len(found) != 1 || found[0].Project != "/src/新聞" || !slices.Equal(found[0].Others, []string{"/src/暫存"}) {
		t.Errorf("%+v", found)
	}
}

// Whose a memory is, when the folder is named after a project that moved, went, or can't be told from another.
func TestProjectsOfClaudeCode(t *testing.T) {
	t.Parallel()
	slashes(t)
	spoke := func(cwd string) string { return `{"type":"user","cwd":"` + cwd + `"}` + "\n" }
	for name, c := range map[string]struct {
		slug    string
		files   map[string]string // transcripts
		dirs    []string
		project string
		gone    bool
	}{
		"the folder it began in":     {"-src-web", map[string]string{"a.jsonl": spoke("/src/web")}, []string{"src/web"}, "/src/web", false},
		"a folder within it":         {"-src-web", map[string]string{"a.jsonl": spoke("/src/web/api/v2")}, []string{"src/web"}, "/src/web", false},
		"a first line without it":    {"-src-web", map[string]string{"a.jsonl": `{"type":"summary"}` + "\n" + spoke("/src/web")}, []string{"src/web"}, "/src/web", false},
		"one of several":             {"-src-web", map[string]string{"a.jsonl": spoke("/gone"), "b.jsonl": spoke("/src/web")}, []string{"src/web"}, "/src/web", false},
		"it moved, and went on":      {"-src-web", map[string]string{"a.jsonl": spoke("/src/site")}, []string{"src/site"}, "/src/site", false},
		"only subagents remain":      {"-src-web", map[string]string{"s/subagents/a.jsonl": spoke("/src/web")}, []string{"src/web"}, "/src/web", false},
		"gone":                       {"-src-web", map[string]string{"a.jsonl": spoke("/src/web")}, []string{"src/other"}, "/src/web", true},
		"a transcript that is noise": {"-src-web", map[string]string{"a.jsonl": "\x00\xff{{{"}, []string{"src/web"}, "-src-web", false},
		"a relative folder":          {"-src-web", map[string]string{"a.jsonl": spoke("web")}, []string{"src/web", "w/web"}, "-src-web", false},
		"in the state":               {"-src-my-web", map[string]string{"../../../.claude.json": `{"projects":{"/src/my web":{},"/src/my.web":{}}}`}, []string{"src/my-web", "src/my.web"}, "/src/my.web", false},
		"gone, in the state":         {"-src-my-web", map[string]string{"../../../.claude.json": `{"projects":{"/src/my web":{}}}`}, nil, "/src/my web", true},
		"no transcript":              {"-src-web", nil, []string{"src/web"}, "-src-web", false},
		"a long one": {"-" + strings.Repeat("a", 199) + "-1x2y3z", map[string]string{"a.jsonl": spoke("/" + strings.Repeat("a", 250))},
			[]string{strings.Repeat("a", 250)}, "/" + strings.Repeat("a", 250), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := in(".claude/projects/" + c.slug + "/memory/MEMORY.md")
			for file, text := range c.files {
				files[path.Join("home/ann/.claude/projects", c.slug, file)] = &fstest.MapFile{Data: []byte(text)}
			}
			for _, dir := range c.dirs {
				files[dir] = &fstest.MapFile{Mode: fs.ModeDir | 0o700}
			}
			m := discover.Machine{System: "linux", Home: "/home/ann", Files: mapped{"/w", files}}
			for _, f := range m.Find(t.Context(), nil) {
				if f.Kind != discover.KindDir {
					continue
				}
				root := c.project
				if !path.IsAbs(root) { // only its name is known
					root = ""
				}
				if f.Project != c.project || f.Root != root || f.Stranded != c.gone {
					t.Errorf("of %q in %q, gone %v; want %q in %q, gone %v", f.Project, f.Root, f.Stranded, c.project, root, c.gone)
				}
			}
		})
	}
}

// Variables move the places of the user, also to a folder that is named from the working directory.
func TestVariablesMoveMemories(t *testing.T) {
	t.Parallel()
	slashes(t)
	files := fstest.MapFS{}
	for _, name := range []string{"w/cfg/projects/-p/memory/MEMORY.md", "opt/codex/memories/a.md", "opt/g/.gemini/tmp/x/memory/MEMORY.md",
		"opt/qwen/memories/a.md", "opt/hermes/memories/MEMORY.md", "opt/letta/memfs/a/memory/system/b.md", "opt/serena/memories/global/a.md",
		"opt/bm/a.md", "opt/data/Code/User/globalStorage/github.copilot-chat/memory-tool/memories/a.md",
		"opt/portable/user-data/User/globalStorage/github.copilot-chat/memory-tool/memories/a.md"} {
		files[name] = &fstest.MapFile{}
	}
	set := map[string]string{
		"CLAUDE_CONFIG_DIR": "cfg", "CODEX_HOME": "/opt/codex", "GEMINI_CLI_HOME": "/opt/g", "QWEN_HOME": "/opt/qwen", "HERMES_HOME": "/opt/hermes",
		"LETTA_LOCAL_BACKEND_DIR": "/opt/letta", "SERENA_HOME": "/opt/serena", "BASIC_MEMORY_HOME": "/opt/bm", "VSCODE_APPDATA": "/opt/data",
		"XDG_CONFIG_HOME": "/opt/unused", "VSCODE_PORTABLE": "/opt/portable",
	}
	m := discover.Machine{System: "linux", Home: "/home/ann", Getenv: func(name string) string { return set[name] }, Files: mapped{"/w", files}}
	var got []string
	for _, f := range m.Find(t.Context(), nil) {
		got = append(got, f.Agent+" "+f.Dir)
		if of := m.Of(t.Context(), f.Dir); of.Agent != f.Agent {
			t.Errorf("%s is of %q by itself", f.Dir, of.Agent)
		}
	}
	slices.Sort(got)
	want := []string{
		"Claude Code /w/cfg/projects/-p/memory", "Codex /opt/codex/memories", "Gemini CLI /opt/g/.gemini/tmp/x/memory", "Hermes /opt/hermes/memories",
		"Letta Code /opt/letta/memfs/a/memory", "Qwen Code /opt/qwen/memories", "Serena /opt/serena/memories/global",
		"VS Code /opt/data/Code/User/globalStorage/github.copilot-chat/memory-tool/memories",
		"VS Code /opt/portable/user-data/User/globalStorage/github.copilot-chat/memory-tool/memories", "basic-memory /opt/bm",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
