package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/cli/screen"
	"memcurator/cli/session"
	"memcurator/memstore/backend"
	"memcurator/memstore/memtest"
	"memcurator/memstore/overview"
	"memcurator/render/loadlimit"
	"memcurator/tui"
)

// What a session starts with is the same amount wherever it is shown: in the rows of "stores", in "stats", in a row of the Stores screen,
// on its load page and in the opening of the store.
func TestLoadIsTheSameEverywhere(t *testing.T) {
	for n := range 6 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			home, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			p := &planter{t: t, home: home, r: rand.New(rand.NewPCG(uint64(n), 16))}
			if n == 0 {
				must(t, memtest.AgentHome{System: runtime.GOOS, Home: home}.Write(time.Now()))
			}
			p.plant()
			p.compare()
		})
	}
}

// configuration is the name of memcurator's own configuration in a planted home.
const configuration = "memcurator.toml"

// planter makes a home with chains and notes at random.
type planter struct {
	t    *testing.T
	home string
	r    *rand.Rand
}

func (p *planter) one(list ...string) string { return list[p.r.IntN(len(list))] }

// text is an instruction file or an index.
func (p *planter) text() string {
	var b strings.Builder
	b.WriteString(p.one("", "", "", "\ufeff", "---\npaths: \"**/*.go\"\n---\n", "---\r\nname: a\r\n---\r\n", "---\nnever closed\n"))
	end := p.one("\n", "\n", "\r\n", "")
	for range p.r.IntN(14) {
		b.WriteString(p.one("Ferries leave at nine.", "@docs/a.md", "See @./docs/b.md, then @../shared.md", "@CLAUDE.md @AGENTS.md @GEMINI.md",
			"@missing.md", "@~/notes.md", "@/etc/none.md", "`@docs/a.md`", "```\n@docs/b.md\n```", "<!-- a note -->", "<!-- open", "渡し船は九時に出ます", "\xff\xfe",
			"- [Hold](hold.md): ten minutes", "@docs", "", "  ", strings.Repeat("long line ", p.r.IntN(40))) + end)
	}
	if p.r.IntN(12) == 0 {
		b.WriteString(strings.Repeat("The ferry leaves at nine.\n", 1+p.r.IntN(3000)))
	}
	if p.r.IntN(40) == 0 {
		b.WriteByte(0)
	}
	return b.String()
}

// write makes some of the files of a folder, or links in their place.
func (p *planter) write(folder string, names ...string) {
	for _, name := range names {
		if p.r.IntN(3) == 0 {
			continue
		}
		full := filepath.Join(p.home, folder, name)
		if _, err := os.Lstat(full); err == nil {
			continue
		}
		must(p.t, os.MkdirAll(filepath.Dir(full), 0o700))
		if p.r.IntN(10) > 0 || runtime.GOOS == "windows" {
			must(p.t, os.WriteFile(full, []byte(p.text()), 0o600))
			continue
		}
		if err := os.Symlink(p.one("AGENTS.md", "CLAUDE.md", "docs/a.md", "../shared.md", "none.md", "docs"), full); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *planter) plant() {
	projects := map[string]any{}
	for _, name := range []string{"a", "b", "b/inner"} {
		p.write(filepath.Join("src", name), "CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", ".claude/rules/go.md", ".claude/rules/deep/er.md", "AGENTS.md",
			"AGENTS.override.md", "GEMINI.md", "docs/a.md", "docs/b.md", "memories/MEMORY.md")
		if name != "b/inner" && p.r.IntN(3) > 0 {
			must(p.t, os.MkdirAll(filepath.Join(p.home, "src", name, ".git"), 0o700))
		}
		must(p.t, os.MkdirAll(filepath.Join(p.home, "src", name), 0o700))
		projects[filepath.Join(p.home, "src", name)] = struct{}{}
	}
	known, err := json.Marshal(map[string]any{"projects": projects})
	must(p.t, err)
	memory := ".claude/projects/" + strings.NewReplacer("/", "-", `\`, "-", ":", "-", ".", "-", "_", "-").Replace(filepath.Join(p.home, "src", "a")) + "/memory"
	p.write(".", ".claude/CLAUDE.md", ".claude/rules/own.md", ".codex/AGENTS.md", ".gemini/GEMINI.md", "notes.md", "src/shared.md", "src/CLAUDE.md",
		memory+"/MEMORY.md", memory+"/hold.md", ".hermes/memories/MEMORY.md", ".hermes/memories/USER.md", ".codex/memories/memory_summary.md",
		".codeium/windsurf/memories/global_rules.md")
	memtest.WriteFiles(p.t, p.home, map[string]string{
		".claude.json":       string(known),
		".codex/config.toml": p.one("", "project_doc_max_bytes = 60\n", "project_doc_fallback_filenames = [\"CLAUDE.md\"]\n"),
		".claude/settings.json": p.one(`{}`, `{"claudeMdExcludes": ["**/b/CLAUDE.md"]}`, `{"autoMemoryEnabled": false}`,
			`{"autoMemoryDirectory": "~/src/b/memories"}`),
		configuration: p.one("[ui]\n", "[ui]\n", "[[rule]]\nmatch = [\"**/MEMORY.md\", \"MEMORY.md\"]\nload_tokens = 7\n",
			"[[rule]]\nmatch = [\"**/CLAUDE.md\"]\nload_lines = 3\n", "[[rule]]\nmatch = [\"**\"]\nload_bytes = 90\n"),
	})
	before := time.Now().Add(-time.Hour) // one that was just written is read when it has settled
	must(p.t, os.Chtimes(filepath.Join(p.home, configuration), before, before))
}

// compare reads the amounts of all stores in every way.
func (p *planter) compare() {
	t := p.t
	env := map[string]string{
		"HOME": p.home, "USERPROFILE": p.home, session.EnvState: filepath.Join(t.TempDir(), "state"),
		"MEMCURATOR_CONFIG": filepath.Join(p.home, configuration),
	}
	lines := func(args ...string) map[string]string {
		o := call{args: args, env: env}.run(t)
		list := map[string]string{}
		for _, row := range jsonOf(t, o.out) {
			text, err := json.Marshal(row["load"])
			must(t, err)
			at, _ := row["store"].(string)
			if at == "" {
				at, _ = row["path"].(string)
			}
			list[at] = string(text)
		}
		return list
	}
	stores, stats := lines("stores", "--json"), lines("stats", "--all", "--json")
	people := call{args: []string{"stats", "--all"}, env: env}.run(t).out

	run := session.New(session.Environment{Stdout: io.Discard, Stderr: io.Discard, Getenv: func(name string) string { return env[name] }})
	way := screen.Way{Follow: func(session.Settings) bool { return false }}
	all := screen.Stores(run, way)
	rows := map[string]tui.FoundStore{}
	must(t, all.List(t.Context(), overview.LoadPart, func(r tui.FoundStore) { rows[session.Absolute(r.Path)] = r }))
	if len(rows) < 3 || len(rows) != len(stores) {
		t.Fatalf("%d rows on the screen, %d of the command", len(rows), len(stores))
	}
	for path, row := range rows {
		if row.State == overview.Unreadable {
			continue
		}
		want := "null"
		if row.Start != nil {
			want = loadOf(t, row.Start.Gauge, row.Start.Given)
		}
		if stores[path] != want || stats[path] != want {
			t.Errorf("%s\nStores %s\nstores %s\nstats  %s", path, want, stores[path], stats[path])
		}
		page, err := all.Start(t.Context(), row)
		must(t, err)
		opened, err := all.Open(t.Context(), tui.StoreChoice{Path: row.Path})
		if err != nil {
			t.Errorf("%s doesn't open: %v", path, err)
			continue
		}
		files, err := backend.Scan(t.Context(), opened.Store.Backend(), 1, backend.ScanOptions{})
		must(t, err)
		start, err := opened.Load.Of(files).Read(t.Context(), opened.Store.Backend())
		must(t, errors.Join(err, t.Context().Err()))
		opened.Close()
		_ = opened.Journal.Close()
		if row.Start == nil {
			if page != nil || !start.Rule.OnDemand() {
				t.Errorf("%s: the page has %+v, the opening %+v", path, page, start)
			}
			continue
		}
		if got, opening := loadOf(t, page.Gauge(), page.Given), loadOf(t, start.Gauge(), start.Given); got != want || opening != want {
			t.Errorf("%s\nStores  %s\npage    %s\nopening %s", path, want, got, opening)
		}
		if string(page.Text()) != string(start.Text()) || !slices.Equal(page.Problems(), start.Problems()) {
			t.Errorf("%s\npage    %q %q\nopening %q %q", path, page.Text(), page.Problems(), start.Text(), start.Problems())
		}
		if n := int64(len(page.Text())); n != page.Given.Bytes {
			t.Errorf("%s: %d bytes of text, %d by the page", path, n, page.Given.Bytes)
		}
		if want := fmt.Sprintf("~%d at start  %s\n", page.Given.Tokens, session.Title(row.Path)); page.Given.Tokens < 10_000 && !strings.Contains(people, want) {
			t.Errorf("stats --all doesn't say %q:\n%s", want, people)
		}
	}
}

// loadOf is the amount in the JSON of commands.
func loadOf(t *testing.T, g loadlimit.Gauge, given loadlimit.Extent) string {
	t.Helper()
	text, err := json.Marshal(session.LoadLineOf(g, given))
	must(t, err)
	var loose any
	must(t, json.Unmarshal(text, &loose))
	text, err = json.Marshal(loose)
	must(t, err)
	return string(text)
}
