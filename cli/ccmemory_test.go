package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/memtest/cctest"
)

// ccMemory is a database of cc-memory with the records of the sample.
func ccMemory(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "memory.db")
	cctest.Sample(time.Now()).Write(t, file)
	return file
}

func TestExportAsCCMemory(t *testing.T) {
	t.Parallel()
	db := ccMemory(t)
	before := read(t, filepath.Dir(db), "memory.db")
	file := filepath.Join(t.TempDir(), "export.json")
	o := do(t, "export", db, "--as", "cc-memory", file)
	if o.code != 0 || !strings.Contains(o.err, "Exported 20 records") || !strings.Contains(o.err, "1 expired item, 3 DIKW records, 1 shared item") ||
		!strings.Contains(o.err, "won't import what belongs to no record: 1 transcript") {
		t.Fatalf("%+v", o)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if read(t, filepath.Dir(db), "memory.db") != before {
		t.Error("the export changed the database")
	}
	do(t, "export", db, "--as", "cc-memory", file).sentence(t, 1, file+" exists. Pass another name")
	do(t, "export", db, "--as", "cc-memory").sentence(t, 2, "FILE is missing: export "+db+" --as cc-memory FILE")
	do(t, "export", db, "--as", "word", file).sentence(t, 2, "There is no form word. Pass --as cc-memory")
	notes := newStore(t, map[string]string{"a.md": "a\n"})
	do(t, "export", notes, "--as", "cc-memory", file+"2").sentence(t, 1, notes+" is not a memory of cc-memory. Export it with --bundle FILE")

	// The export opens as a store of the same records, to look at.
	if o := do(t, "cat", "--dir", file, "/memories/semantic/config/connection pool.md"); o.code != 0 || !strings.Contains(o.out, "50 connections") {
		t.Errorf("%+v", o)
	}
	if o := do(t, "export", file, "--as", "cc-memory", file+"3"); o.code == 0 {
		t.Errorf("an export of an export: %+v", o)
	}
}

func TestRecall(t *testing.T) {
	t.Parallel()
	db := ccMemory(t)
	o := do(t, "search", "--recall", db, "pool", "db", "deploy")
	if o.code != 0 || !strings.Contains(o.err, `cc-memory never finds "db": words of one or two characters don't match there`) ||
		!strings.Contains(o.out, "/memories/semantic/config/connection pool.md\n       match 0.5 x 0.4 + confidence 0.9 x 0.3") ||
		!strings.Contains(o.out, "of /memories/semantic/procedure/deploy procedure.md x strength 0.7 x distance 0.5") {
		t.Errorf("%s%s", o.out, o.err)
	}
	lines := jsonOf(t, ok(t, "search", "--recall", "--json", "--dir", db, "deploy"))
	if len(lines) < 4 || lines[0]["layer"] != "working" || lines[0]["score"].(float64) < 0.5 || len(lines[0]["terms"].([]any)) != 3 {
		t.Errorf("%v", lines)
	}
	do(t, "search", "--recall", db, "nothingofthis").sentence(t, 1, "cc-memory recalls nothing for nothingofthis")
	notes := newStore(t, map[string]string{"a.md": "a\n"})
	do(t, "search", "--recall", "--dir", notes, "word").sentence(t, 1,
		notes+" is not a database of cc-memory, the only program whose recall is known. Search without --recall")
}

func TestForecastOfCCMemory(t *testing.T) {
	t.Parallel()
	db := ccMemory(t)
	kinds := map[string]int{}
	for _, line := range jsonOf(t, do(t, "plan", "--suggest", "--json", db).out) {
		if kind, ok := line["kind"].(string); ok {
			kinds[kind]++
		}
	}
	for kind, n := range map[string]int{"permanent": 7, "expires": 8, "decay": 5, "boost": 2} {
		if kinds[kind] != n {
			t.Errorf("%d suggestions %s, want %d", kinds[kind], kind, n)
		}
	}
}

func TestImportFromCCMemory(t *testing.T) {
	t.Parallel()
	db := ccMemory(t)
	file := filepath.Join(t.TempDir(), "export.json")
	ok(t, "export", db, "--as", "cc-memory", file)
	empty := filepath.Join(t.TempDir(), "memory.db")
	cctest.Memory{}.Write(t, empty)
	if o := do(t, "import", "--dry-run", file, empty); o.code != 0 || !strings.Contains(o.out, "new        semantic: connection pool\n") ||
		!strings.Contains(o.err, "Would import 24 records to ") {
		t.Errorf("%s%s", o.out, o.err)
	}
	if o := do(t, "import", "--yes", file, empty); o.code != 0 || !strings.Contains(o.err, "Imported 24 records to ") {
		t.Errorf("%s%s", o.out, o.err)
	}
	// It is one act of the user's: what the journal has of it, one undo reverts, and a redo brings back.
	list := jsonOf(t, ok(t, "log", "--json", "--dir", empty))
	for _, r := range list {
		if r["actor"] != "curator" || r["command"] != "import" || r["group"] != list[0]["group"] {
			t.Errorf("%v", r)
		}
	}
	if len(list) < 20 {
		t.Errorf("%d revisions", len(list))
	}
	imported := ok(t, "ls", "--json", empty)
	if o := do(t, "undo", "--dir", empty, "--yes"); o.code != 0 {
		t.Errorf("%s%s", o.out, o.err)
	}
	if o := do(t, "ls", "--json", empty); strings.Contains(o.out, ".md") || strings.Contains(o.out, ".jsonl") {
		t.Errorf("%s%s", o.out, o.err)
	}
	if o := do(t, "undo", "--redo", "--dir", empty); o.code != 0 || ok(t, "ls", "--json", empty) != imported {
		t.Errorf("%s%s", o.out, o.err)
	}
	if o := do(t, "import", "--yes", file, empty); o.code != 0 || !strings.Contains(o.err, "Imported 0 records") || !strings.Contains(o.err, "Skipped 24 equal records") {
		t.Errorf("%s%s", o.out, o.err)
	}
	if o := do(t, "cat", "--dir", empty, "/memories/semantic/config/connection pool.md"); o.code != 0 || !strings.Contains(o.out, "50 connections") {
		t.Errorf("%+v", o)
	}
	other := cctest.Sample(time.Now())
	for i := range other.Entities {
		other.Entities[i].Description = "Something else."
	}
	changed := filepath.Join(t.TempDir(), "memory.db")
	other.Write(t, changed)
	if o := do(t, "import", "--yes", file, changed); o.code != 1 || !strings.Contains(o.err, "--replace overwrites") {
		t.Errorf("%s%s", o.out, o.err)
	}
	line := jsonOf(t, ok(t, "import", "--json", "--yes", "--replace", file, changed))[0]
	if line["imported"].(float64) < 6 || line["loose"] != 0.0 {
		t.Errorf("%v", line)
	}
	notes := newStore(t, map[string]string{"a.md": "a\n"})
	do(t, "import", "--yes", file, notes).sentence(t, 1, notes+" is not a database of cc-memory, and "+file+" is an export of it")
	half := filepath.Join(t.TempDir(), "half.json")
	if err := os.WriteFile(half, []byte(read(t, filepath.Dir(file), "export.json")[:2000]), 0o600); err != nil {
		t.Fatal(err)
	}
	do(t, "import", "--yes", half, empty).sentence(t, 1, "Can't import "+half+": it is not an export of cc-memory, or only half of one")
}

// What the handlers write, cc-memory itself reads back: an edit, another time to live, a deletion, a promotion and a new record. What it
// writes then, the handlers read.
func TestEditsAreReadAsTheProgram(t *testing.T) {
	t.Parallel()
	program := cctest.Find(t)
	folder, now := t.TempDir(), time.Now().Truncate(time.Second)
	db, sample := filepath.Join(folder, "memory.db"), cctest.Sample(now)
	sample.Extra = nil
	program.Run(t, folder, now, cctest.Step{"do": "fill", "memory": sample})
	env := map[string]string{"HOME": t.TempDir(), "MEMCURATOR_STATE": t.TempDir(), "MEMCURATOR_CONFIG": os.DevNull}
	run := func(args ...string) outcome { return call{args: args, env: env}.run(t) }
	fileOf := func(part string) string {
		t.Helper()
		for _, row := range jsonOf(t, run("ls", "--json", "--dir", db).out) {
			if path, _ := row["path"].(string); strings.Contains(path, part) && strings.HasSuffix(path, ".md") {
				return path
			}
		}
		t.Fatalf("no file for %s", part)
		return ""
	}
	line := func(path, key string) string {
		t.Helper()
		for l := range strings.Lines(run("cat", "--dir", db, path).out) {
			if _, text, ok := strings.Cut(l, "\t"); ok {
				l = text
			}
			if strings.HasPrefix(l, key+": ") {
				return strings.TrimSpace(l)
			}
		}
		t.Fatalf("%s has no %s", path, key)
		return ""
	}
	edited, deleted, kept, promoted := fileOf("Deployed v2.1"), fileOf("PostgreSQL connection timeout"), fileOf("/release.md"), fileOf("use tokens")
	later := now.Add(72 * time.Hour).UTC()
	var input strings.Builder
	for _, c := range []map[string]string{
		{"command": "str_replace", "path": edited, "old_str": "health checks first", "new_str": "canaries first"},
		{"command": "str_replace", "path": edited, "old_str": line(edited, "importance"), "new_str": "importance: 9"},
		{"command": "str_replace", "path": kept, "old_str": line(kept, "expires"), "new_str": "expires: " + later.Format("2006-01-02T15:04:05.000Z")},
		{"command": "delete", "path": deleted},
		{"command": "rename", "old_path": promoted, "new_path": "/memories/semantic/fact/use tokens.md"},
		{"command": "create", "path": "/memories/semantic/fact/harbour.md", "file_text": "---\nconfidence: 0.8\n---\nThe harbour closes at dusk.\n"},
	} {
		text, err := json.Marshal(c)
		must(t, err)
		input.WriteString(string(text) + "\n")
	}
	o := call{args: []string{"exec", db}, env: env, stdin: input.String()}.run(t)
	if o.code != 0 || strings.Count(o.out, `"is_error":false`) != 6 {
		t.Fatalf("%+v", o)
	}

	episode := func(of string) string {
		for _, e := range sample.Episodes {
			if strings.HasPrefix(e.Summary, of) {
				return e.ID
			}
		}
		t.Fatalf("no episode %s", of)
		return ""
	}
	gone := episode("PostgreSQL")
	answers := program.Run(t, folder, now,
		cctest.Step{"do": "episode", "id": episode("Deployed")}, cctest.Step{"do": "search", "query": "canaries"},
		cctest.Step{"do": "item", "key": "release"},
		cctest.Step{"do": "episode", "id": gone}, cctest.Step{"do": "transcript", "id": gone}, cctest.Step{"do": "search", "query": "PostgreSQL"},
		cctest.Step{"do": "item", "key": "use tokens"}, cctest.Step{"do": "entity", "id": "use tokens"},
		cctest.Step{"do": "entity", "id": "harbour"}, cctest.Step{"do": "recall", "query": "harbour dusk"},
		cctest.Step{"do": "set", "item": map[string]any{"key": "after the edit", "value": "The server goes on."}},
		cctest.Step{"do": "boost"})
	for i, want := range []string{
		`"details":"Blue and green; canaries first."`, episode("Deployed"),
		fmt.Sprintf(`"expiresAt":%d`, later.UnixMilli()),
		"null", "null", "[]",
		"null", `"description":"Tokens of 15 minutes instead of sessions."`,
		`"description":"The harbour closes at dusk."`, `"semantic":[{"id":"`,
	} {
		if !strings.Contains(string(answers[i]), want) {
			t.Errorf("answer %d of cc-memory is %s, without %s", i, answers[i], want)
		}
	}
	if !strings.Contains(string(answers[0]), `"importance":9`) {
		t.Errorf("the importance isn't 9: %s", answers[0])
	}
	if o := run("cat", "--dir", db, fileOf("after the edit")); !strings.Contains(o.out, "The server goes on.") {
		t.Errorf("what the program wrote on: %+v", o)
	}
	if o := run("cat", "--dir", db, edited); !strings.Contains(o.out, "canaries first") {
		t.Errorf("the edit after the program wrote on: %+v", o)
	}
}
