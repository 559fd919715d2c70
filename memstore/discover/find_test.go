package discover_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/discover"
	"memcurator/memstore/memtest"
)

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
	memtest.WriteFiles(t, home, map[string]string{".hermes/memories/MEMORY.md": "x", "elsewhere/secret.md": "x", ".claude/projects/-a/memory/MEMORY.md": "x",
		".claude/projects/-b/memory/deep/x.md": "x", ".claude/projects/-b/memory/y.md": "x"})
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
		".claude/projects/-a/memory 1 false ", ".claude/projects/-b/memory 2 false ", ".hermes/memories 2 false ",
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
	for _, f := range found(t, discover.Local(home, nil), nil) {
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

// Whose a memory is, when the folder is named after a project that moved, went, or can't be told from another.
func TestProjectsOfClaudeCode(t *testing.T) {
	t.Chdir(t.TempDir())
	spoke := func(cwd string) string { return `{"type":"user","cwd":"` + cwd + `"}` + "\n" }
	const web = "ROOT-src-web"
	deep := strings.Repeat("a", 250)
	for name, c := range map[string]struct {
		slug    string
		files   map[string]string // transcripts
		dirs    []string
		project string // ROOT is the root
		gone    bool
	}{
		"the folder it began in":     {web, map[string]string{"a.jsonl": spoke("ROOT/src/web")}, []string{"src/web"}, "ROOT/src/web", false},
		"a folder within it":         {web, map[string]string{"a.jsonl": spoke("ROOT/src/web/api/v2")}, []string{"src/web"}, "ROOT/src/web", false},
		"a first line without it":    {web, map[string]string{"a.jsonl": `{"type":"summary"}` + "\n" + spoke("ROOT/src/web")}, []string{"src/web"}, "ROOT/src/web", false},
		"one of several":             {web, map[string]string{"a.jsonl": spoke("/gone"), "b.jsonl": spoke("ROOT/src/web")}, []string{"src/web"}, "ROOT/src/web", false},
		"it moved, and went on":      {web, map[string]string{"a.jsonl": spoke("ROOT/src/site")}, []string{"src/site"}, "ROOT/src/site", false},
		"gone":                       {web, map[string]string{"a.jsonl": spoke("ROOT/src/web")}, []string{"src/other"}, "ROOT/src/web", true},
		"a transcript that is noise": {web, map[string]string{"a.jsonl": "\x00\xff{{{"}, []string{"src/web"}, web, false},
		"a relative folder":          {web, map[string]string{"a.jsonl": spoke("web")}, []string{"src/web"}, web, false},
		"in the state":               {"ROOT-src-my-web", map[string]string{"../../../.claude.json": `{"projects":{"ROOT/src/my web":{},"ROOT/src/my.web":{}}}`}, []string{"src/my-web", "src/my.web"}, "ROOT/src/my.web", false},
		"gone, in the state":         {"ROOT-src-my-web", map[string]string{"../../../.claude.json": `{"projects":{"ROOT/src/my web":{}}}`}, nil, "ROOT/src/my web", true},
		"no transcript":              {web, nil, []string{"src/web"}, web, false},
		"a long one":                 {"LONG-1x2y3z", map[string]string{"a.jsonl": spoke("ROOT/" + deep)}, []string{deep}, "ROOT/" + deep, false},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"home/": ""}
			for _, dir := range c.dirs {
				files[dir+"/"] = ""
			}
			root := disk(t, files)
			slug := strings.NewReplacer("ROOT", dashed(root), "LONG", dashed(root + "/" + deep)[:200]).Replace(c.slug) // a long one is cut
			folder := filepath.Join(root, "home/.claude/projects", slug)
			all := map[string]string{"memory/MEMORY.md": ""}
			for file, text := range c.files {
				all[file] = strings.ReplaceAll(text, "ROOT", root)
			}
			memtest.WriteFiles(t, folder, all)
			want := strings.ReplaceAll(c.project, "ROOT", root)
			wantRoot := want
			if c.project == web { // only its name is known
				want, wantRoot = slug, ""
			}
			n := 0
			for _, f := range found(t, discover.Local(filepath.Join(root, "home"), nil), nil) {
				if f.Kind != discover.KindDir {
					continue
				}
				n++
				if f.Project != want || f.Root != wantRoot || f.Stranded != c.gone {
					t.Errorf("of %q in %q, gone %v; want %q in %q, gone %v", f.Project, f.Root, f.Stranded, want, wantRoot, c.gone)
				}
			}
			if n != 1 {
				t.Errorf("%d stores", n)
			}
		})
	}
}

// Projects whose names become one share their folder: each is named, whether a transcript or Claude Code's state knows it.
func TestProjectsThatShareAMemory(t *testing.T) {
	t.Chdir(t.TempDir())
	root := disk(t, map[string]string{"src/新聞/": "", "src/暫存/below/": "", "src/🚢/": ""})
	memtest.WriteFiles(t, filepath.Join(root, "home"), map[string]string{
		".claude/projects/" + dashed(root) + "-src---/memory/MEMORY.md": "",
		".claude/projects/" + dashed(root) + "-src---/a.jsonl":          `{"cwd":"` + root + `/src/新聞"}`,
		".claude/projects/" + dashed(root) + "-src---/b.jsonl":          `{"cwd":"` + root + `/src/暫存/below"}`,
		".claude.json": `{"projects":{"` + root + `/src/🚢":{}}}`,
	})
	var got []string
	for _, f := range found(t, discover.Local(filepath.Join(root, "home"), nil), nil) {
		if f.Kind == discover.KindDir {
			got = append(append(got, f.Project), f.Others...)
		}
	}
	slices.Sort(got)
	if want := []string{root + "/src/新聞", root + "/src/暫存", root + "/src/🚢"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Variables move the places of the user, also to a folder that is named from the working directory.
func TestVariablesMoveMemories(t *testing.T) {
	files := map[string]string{"home/": ""}
	for _, name := range []string{"w/cfg/projects/-p/memory/MEMORY.md", "opt/codex/memories/a.md", "opt/g/.gemini/tmp/x/memory/MEMORY.md",
		"opt/hermes/memories/MEMORY.md", "opt/bm/a.md", "opt/data/Code/User/globalStorage/github.copilot-chat/memory-tool/memories/a.md"} {
		files[name] = ""
	}
	root := disk(t, files)
	t.Chdir(filepath.Join(root, "w"))
	set := map[string]string{
		"CLAUDE_CONFIG_DIR": "cfg", "CODEX_HOME": root + "/opt/codex", "GEMINI_CLI_HOME": root + "/opt/g",
		"HERMES_HOME": root + "/opt/hermes", "BASIC_MEMORY_HOME": root + "/opt/bm", "XDG_CONFIG_HOME": root + "/opt/data",
	}
	m := discover.Local(filepath.Join(root, "home"), func(name string) string { return set[name] })
	var got []string
	for _, f := range found(t, m, nil) {
		got = append(got, f.Agent+" "+strings.TrimPrefix(f.Path, root))
		if of := m.Of(t.Context(), f.Path); of.Agent != f.Agent {
			t.Errorf("%s is of %q by itself", f.Path, of.Agent)
		}
	}
	slices.Sort(got)
	want := []string{
		"Claude Code /w/cfg/projects/-p/memory", "Codex /opt/codex/memories", "Gemini CLI /opt/g/.gemini/tmp/x/memory", "Hermes /opt/hermes/memories",
		"VS Code /opt/data/Code/User/globalStorage/github.copilot-chat/memory-tool/memories", "basic-memory /opt/bm",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The stores of a team, and a folder that is mirrored from a hosted one.
func TestTeamAndMirroredStores(t *testing.T) {
	root := disk(t, map[string]string{"team/a.md": "", "other/b.md": "", "home/": "",
		"project/mnt/memory/notes/a.md": "", "project/mnt/memory/notes/.anthropic-memory-store": "version 1"})
	t.Chdir(filepath.Join(root, "project"))
	m := discover.Local(filepath.Join(root, "home"), func(name string) string {
		return map[string]string{"CLAUDE_MEMORY_STORES": `["` + root + `/team", {"path": "` + root + `/other", "mode": "ro"}]`}[name]
	})
	var got []string
	for _, f := range found(t, m, nil) {
		got = append(got, fmt.Sprint(f.Agent, " ", strings.TrimPrefix(f.Path, root), " ", f.Files, " ", strings.HasPrefix(strings.Join(f.Quirks, ""), "mirrored")))
	}
	slices.Sort(got)
	if want := []string{"Claude Code /other 1 false", "Claude Code /team 1 false", "memory tool /project/mnt/memory/notes 1 true"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
