package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/memtest"
)

// machine is a home folder with stores of several agents.
type machine struct {
	home, claude, stranded, codex, work string
	env                                 map[string]string
}

// newMachine makes one. The configuration names the store work; the others are where their agents keep them.
func newMachine(t *testing.T) machine {
	t.Helper()
	home, elsewhere := t.TempDir(), t.TempDir()
	t.Chdir(t.TempDir())
	m := machine{
		home: home, claude: filepath.Join(home, ".claude", "projects", "-src-ferry", "memory"), codex: filepath.Join(home, ".codex", "memories"),
		stranded: filepath.Join(home, ".claude", "projects", "-gone", "memory"), work: filepath.Join(elsewhere, "work"),
	}
	ferry := filepath.Join(home, "src", "ferry")
	key := "sk-ant-" + "api03-" + strings.Repeat("Zq8vW1xY7tRn4Lk2Pd9Hs6Jc3Bm5Fg0Ua8Ve1Xo4Ti7", 2) + "AA"
	for file, text := range map[string]string{
		filepath.Join(ferry, "README.md"):                                   "the project\n",
		filepath.Join(filepath.Dir(m.claude), "a.jsonl"):                    fmt.Sprintf("{\"type\":\"user\",\"cwd\":%q}\n", ferry),
		filepath.Join(m.claude, "MEMORY.md"):                                strings.Repeat("- the ferry leaves at nine\n", 150),
		filepath.Join(filepath.Dir(m.stranded), "b.jsonl"):                  fmt.Sprintf("{\"type\":\"user\",\"cwd\":%q}\n", filepath.Join(home, "gone")),
		filepath.Join(m.stranded, "MEMORY.md"):                              "- an old pier\n",
		filepath.Join(m.codex, "memory_summary.md"):                         "the user likes ferries\n",
		filepath.Join(m.work, "keys.md"):                                    "key: " + key + "\n",
		filepath.Join(m.work, "todo.md"):                                    "book the ferry\n",
		filepath.Join(home, ".config", "memcurator", "config.toml"):         "[stores.work]\ndir = '" + m.work + "'\n[[stores.work.rule]]\nmatch = ['**']\nmax_file_bytes = 16\nmode = 'warn'\n",
		filepath.Join(home, ".claude", "projects", "-src-other", "c.jsonl"): "{}\n", // no memory
	} {
		must(t, os.MkdirAll(filepath.Dir(file), 0o700))
		writeText(t, file, text)
	}
	m.env = map[string]string{
		"HOME": home, "USERPROFILE": home, "MEMCURATOR_CONFIG": filepath.Join(home, ".config", "memcurator", "config.toml"),
		"MEMCURATOR_STATE": filepath.Join(t.TempDir(), "state"),
	}
	return m
}

func (m machine) do(t *testing.T, args ...string) outcome {
	t.Helper()
	return call{args: args, env: m.env}.run(t)
}

func TestStoresJSONHasTheContractOfItsKeys(t *testing.T) {
	m := newMachine(t)
	edits(t, m.env, m.codex, `{"command":"create","path":"/memories/new.md","file_text":"a note\n"}`)
	by := map[string]map[string]any{}
	for _, row := range jsonOf(t, m.do(t, "stores", "--json").out) {
		by[row["path"].(string)] = row
		for _, key := range []string{"path", "dir", "agent", "project", "name", "kind", "files", "bytes", "changed", "unread", "due", "secrets",
			"load", "state", "more", "missing"} {
			if _, ok := row[key]; !ok {
				t.Errorf("%v has no key %s", row, key)
			}
		}
	}
	for _, c := range []struct {
		path                        string
		unread, due, secrets, state any
		project, name               any
	}{
		{m.claude, nil, 0.0, 0.0, "ok", filepath.Join(m.home, "src", "ferry"), nil},
		{m.stranded, nil, 0.0, 0.0, "stranded", filepath.Join(m.home, "gone"), nil},
		{m.codex, 1.0, 0.0, 0.0, "ok", nil, nil},
		{m.work, nil, 1.0, 1.0, "ok", nil, "work"},
	} {
		row := by[c.path]
		got := fmt.Sprint(row["unread"], row["due"], row["secrets"], row["state"], row["project"], row["name"])
		if want := fmt.Sprint(c.unread, c.due, c.secrets, c.state, c.project, c.name); got != want {
			t.Errorf("%s: %s, want %s", c.path, got, want)
		}
	}
	load, _ := by[m.claude]["load"].(map[string]any)
	if fmt.Sprint(load["lines"], load["limit_lines"], load["limit_bytes"]) != "150 200 25000" {
		t.Errorf("load %v", load)
	}
	index := filepath.Join(m.claude, "MEMORY.md")
	writeText(t, index, strings.Repeat("a line\n", 250))
	for _, row := range jsonOf(t, m.do(t, "stores", "--json").out) {
		if row["path"] == m.claude && !strings.Contains(fmt.Sprint(row["problems"]), "Past its load limit: 50 lines cut") {
			t.Errorf("the problems of a cut index are %v", row["problems"])
		}
	}
	writeText(t, index, strings.Repeat("a line\n", 150))
	o := m.do(t, "stores")
	for _, part := range []string{"150/200 lines", "stranded", "agent ", "work "} {
		if !strings.Contains(o.out, part) {
			t.Errorf("stores has no %q:\n%s", part, o.out)
		}
	}
}

// A store where VS Code keeps one answers as its tool does, unless the user names a dialect.
func TestTheNotesOfVSCodeAnswerInItsWords(t *testing.T) {
	home := t.TempDir()
	env := map[string]string{"HOME": home}
	dir := filepath.Join(home, ".config", "Code", "User", "globalStorage", "github.copilot-chat", "memory-tool", "memories")
	memtest.WriteFiles(t, dir, map[string]string{"a.md": "x\n"})
	if o := (call{args: []string{"ls", dir}, env: env}).run(t); !strings.HasSuffix(strings.TrimSpace(o.out), "/memories/a.md\n/memories/session/\n/memories/repo/") {
		t.Errorf("%+v", o)
	}
	if o := (call{args: []string{"ls", dir, "--dialect", "docs"}, env: env}).run(t); !strings.HasPrefix(o.out, "Here're the files") {
		t.Errorf("%+v", o)
	}
}
