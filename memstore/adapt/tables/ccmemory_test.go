package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/memtest/dbtest"
)

// noon is the time of the tests that a time decides.
var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// opened is a source on a database with the records of the sample, which statements have changed: no server runs, and it is noon.
func opened(t testing.TB, statements ...string) *source {
	t.Helper()
	file := filepath.Join(t.TempDir(), "memory.db")
	if err := dbtest.WriteCCMemory(file, noon, false); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return &source{path: file, servers: func() ([]int, error) { return nil, nil }, now: func() time.Time { return noon }}
}

func imageOf(t testing.TB, s *source) *adapt.Image {
	t.Helper()
	st, err := s.read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return st.image
}

func find(t testing.TB, image *adapt.Image, prefix string) adapt.Entry {
	t.Helper()
	for _, e := range image.Entries {
		if strings.HasPrefix(e.Name, prefix) {
			return e
		}
	}
	t.Fatalf("nothing begins with %s", prefix)
	return adapt.Entry{}
}

// write writes a text as a command does: in its form.
func write(t testing.TB, s *source, name, text string) error {
	t.Helper()
	image := imageOf(t, s)
	edited, err := image.Editor.Edit(adapt.Edit{Name: name, New: []byte(text)})
	if err != nil {
		return err
	}
	data := edited.Text
	if err := carryOut(t, image, adapt.Edit{Name: name, New: data, Exact: true}); err != nil {
		return err
	}
	if got := find(t, imageOf(t, s), name).Text; string(got) != string(data) {
		t.Errorf("%s is %q, and %q was written", name, got, data)
	}
	return nil
}

func carryOut(t testing.TB, image *adapt.Image, e adapt.Edit) error {
	t.Helper()
	edited, err := image.Editor.Edit(e)
	if err != nil {
		return err
	}
	return edited.Write(t.Context())
}

func edit(t testing.TB, s *source, name string, replace ...string) error {
	t.Helper()
	old := find(t, imageOf(t, s), name).Text
	return write(t, s, name, strings.NewReplacer(replace...).Replace(string(old)))
}

func isRefusal(err error, why string) bool {
	var refusal *backend.Refusal
	return errors.As(err, &refusal) && strings.Contains(refusal.Why, why)
}

func TestTextsOfRecords(t *testing.T) {
	t.Parallel()
	s := opened(t)
	before, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	image := imageOf(t, s)
	for name, want := range map[string]string{
		"episodic/2026-02/PostgreSQL connection timeout ": "importance: 8\ntags: [\"database\",\"performance\"]\n",
		"working/task_state/release.md":                   "---\n```json\n{\n  \"version\": \"2.2\",\n",
		"working/decision/認証の方針.md":                       "expires_at: 2026-03-14T14:00:00.000Z\n---\nリフレッシュトークンは一度だけ使える\n",
		"working/task_state/deploy-next step ":            "key: deploy/next step\n",
		"semantic/config/connection pool.md":              "---\n50 connections, 5 s to wait.\n",
		"shared/team-shop/handover.md":                    "namespace: team/shop\n",
		"transcripts/tr_":                                 "\"content\": \"",
		"relations/":                                      "strength: 0.9\n",
		"dikw/wisdom/Measure first.md":                    "principle: Measure before you change a limit.\n",
	} {
		if e := find(t, image, name); !strings.Contains(string(e.Text), want) || e.Fixed != "" {
			t.Errorf("%s: %s\n%s", name, e.Fixed, e.Text)
		}
	}
	for _, e := range image.Entries {
		if got, err := image.Editor.Edit(adapt.Edit{Name: e.Name, New: e.Text}); err != nil || string(got.Text) != string(e.Text) {
			t.Errorf("%s: %v\n%s\nwas\n%s", e.Name, err, got.Text, e.Text)
		}
	}
	record := find(t, image, "semantic/config/connection pool.md").Record()
	if len(record.Links) != 2 || record.Links[0].Path == "" || len(record.Tags) != 1 {
		t.Errorf("%+v", record)
	}
	if after, err := os.ReadFile(s.path); err != nil || string(after) != string(before) {
		t.Errorf("looking changed the file: %v", err)
	}
}

// contents are all rows of all tables, without the search index and what counts accesses.
func contents(t testing.TB, s *source) (list []string) {
	t.Helper()
	b, err := readDatabase(t.Context(), s.path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := b.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var names string
	query := "SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table' AND name <> 'search_index'"
	if err := db.QueryRowContext(t.Context(), query).Scan(&names); err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Split(names, ",") {
		_, rows, err := rowsOf(t.Context(), db, &table{name: name})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			for _, c := range counted {
				delete(r.values, c)
			}
			list = append(list, fmt.Sprintf("%s %v", name, r.values))
		}
	}
	slices.Sort(list)
	return list
}

// A record that is deleted and made again of its text is what it was, in every column: those too that no one here knows.
func TestEveryRowComesBack(t *testing.T) {
	t.Parallel()
	s := opened(t, "UPDATE episodic_memory SET tags = NULL, context = NULL, related_entities = NULL WHERE importance < 6",
		"UPDATE episodic_memory SET stability = 2.5, agent_id = 'a: \"b\"', agent_role = ' x', sync_seq = 4",
		"UPDATE semantic_entities SET version = 6, derived_from = '[1]', origin_name = 'b\nc', confidence = 0.1", "UPDATE working_memory SET expires_at = 253402300799999",
		"INSERT INTO wisdom_applications SELECT 'wa', id, NULL, 'in context', 'success', NULL, 'd', 5 FROM wisdom LIMIT 1")
	before, image := contents(t, s), imageOf(t, s)
	for _, e := range image.Entries {
		if err := carryOut(t, imageOf(t, s), adapt.Edit{Name: e.Name}); err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
	}
	if left := imageOf(t, s).Entries; len(left) > 0 {
		t.Fatalf("%d records are left", len(left))
	}
	for _, e := range image.Entries {
		if err := carryOut(t, imageOf(t, s), adapt.Edit{Name: e.Name, New: e.Text, Exact: true}); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
	if after := contents(t, s); !slices.Equal(after, before) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
}

func TestEdits(t *testing.T) {
	t.Parallel()
	s := opened(t)
	episode := find(t, imageOf(t, s), "episodic/2026-02/PostgreSQL").Name
	for name, replace := range map[string][]string{
		"working/decision/use tokens.md":     {"15 minutes", "10 minutes", "priority: high", "priority: low", "expires_at: 2026-03-14T15:00:00.000Z", "expires_at: 9999-12-31T23:59:59.999Z"},
		episode:                              {"importance: 8", "importance: 9.5", `["database",`, `["databases",`, "The pool", "This pool"},
		"semantic/config/connection pool.md": {"confidence: 0.9", "confidence: 1"},
	} {
		if err := edit(t, s, name, replace...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	all := strings.Join(contents(t, s), "\n")
	for _, want := range []string{`"Tokens of 10 minutes instead of sessions."`, "253402300799999", "9.5", "This pool"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not in the database", want)
		}
	}
	if e := find(t, imageOf(t, s), "working/decision/use tokens.md"); e.Expires.Year() != 9999 || !e.Changed.Equal(noon) {
		t.Errorf("%+v", e)
	}
	if err := write(t, s, "semantic/fact/port.md", "---\ntags: [\"db\"]\nid: e-1\n---\nThe database listens on 5433.\n"); err != nil {
		t.Error(err)
	}
	if err := write(t, s, "episodic/2026-03/It broke aabbccdd.md", "---\ntype: error\n---\nBadly.\n"); err != nil {
		t.Error(err)
	}
	if err := write(t, s, "working/scratch/idea.md", "---\n---\nTry it.\n"); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ name, from, to, why string }{
		{"working/decision/use tokens.md", "expires_at: 9999-12-31T23:59:59.999Z", "expires_at: 2026-01-01", "The time of expires_at is past"},
		{"working/decision/use tokens.md", "id: ", "id: x", "id of a record can't be changed"},
		{"working/decision/use tokens.md", "priority: low", "priority: urgent", "priority is one of high, medium, low"},
		{"working/decision/use tokens.md", "---\nid", "id", "Line 1: the fields of the record begin with a line ---"},
		{episode, "importance: 9.5", "importance: 11", "Line 9: importance is a number from 1 to 10"},
		{episode, "tags: [", "tags: [a,", `tags is a list such as ["database","performance"]`},
		{episode, "importance: ", "weight: ", "“weight” is not a field"},
		{"semantic/fact/port.md", "confidence: 1", "confidence: many", "confidence is a number"},
	} {
		if err := edit(t, s, c.name, c.from, c.to); !isRefusal(err, c.why) {
			t.Errorf("%s: %v, want %s", c.name, err, c.why)
		}
	}
	for name, text := range map[string]string{"notes.md": "x\n", "working/x.md": "---\n---\n", "semantic/fact/port2.md": "---\nid: e-1\n---\na\n",
		"episodic/2026-03/broken.md": "---\n---\na\n", "working/scratch/a.md": "---\nexpires_at: 2020-01-01\n---\na\n", "working/other/a.md": "---\n---\na\n",
		"relations/new.md": "---\n---\nuses\n"} {
		if err := write(t, s, name, text); !isRefusal(err, "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A record gets another name or kind; an item of working memory becomes an entity or an episode. What changes in the text is told before.
func TestMoves(t *testing.T) {
	t.Parallel()
	s := opened(t)
	item := find(t, imageOf(t, s), "working/decision/認証の方針.md")
	move := func(name, to string) error {
		image := imageOf(t, s)
		want, err := image.Editor.Edit(adapt.Edit{Name: name, To: to})
		if err != nil {
			return err
		}
		if err = carryOut(t, image, adapt.Edit{Name: name, To: to}); err != nil {
			return err
		}
		if got := find(t, imageOf(t, s), to).Text; string(got) != string(want.Text) {
			t.Errorf("%s is\n%s\nwant\n%s", to, got, want.Text)
		}
		return nil
	}
	for _, c := range []struct{ name, to string }{
		{"working/decision/use tokens.md", "working/context/tokens.md"},
		{"working/context/tokens.md", "semantic/fact/tokens.md"},
		{"semantic/fact/tokens.md", "semantic/config/tokens v2.md"},
		{"dikw/wisdom/Measure first.md", "dikw/wisdom/Measure.md"},
		{item.Name, "episodic/2026-03/Our policy " + tail(item.ID) + ".md"},
	} {
		if err := move(c.name, c.to); err != nil {
			t.Errorf("%s to %s: %v", c.name, c.to, err)
		}
	}
	for name, to := range map[string]string{
		"semantic/goal/ship 2.2.md":                        "working/scratch/ship.md",
		"semantic/config/tokens v2.md":                     "semantic/colour/x.md",
		"dikw/wisdom/Measure.md":                           "notes.md",
		find(t, imageOf(t, s), "episodic/2026-02/De").Name: "episodic/2026-02/other.md",
	} {
		if err := move(name, to); !isRefusal(err, "") {
			t.Errorf("%s to %s: %v", name, to, err)
		}
	}
}

// A change is refused where a server runs, beside an unfinished change of SQLite's, and if the file has changed since it was read.
func TestGuards(t *testing.T) {
	t.Parallel()
	s := opened(t)
	image := imageOf(t, s)
	gone := adapt.Edit{Name: find(t, image, "working/").Name}
	refused := func(want string) {
		t.Helper()
		if err := carryOut(t, image, gone); !isRefusal(err, want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	s.servers = func() ([]int, error) { return []int{12, 345}, nil }
	refused("Servers of cc-memory run (processes 12, 345)")
	s.servers = func() ([]int, error) { return []int{12}, nil }
	refused("A server of cc-memory runs (process 12)")
	s.servers = func() ([]int, error) { return nil, errors.ErrUnsupported }
	refused("can't be told")
	s.servers = func() ([]int, error) { return nil, nil }
	if err := os.WriteFile(s.path+"-journal", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused("left memory.db-journal beside it")
	if err := errors.Join(os.Remove(s.path+"-journal"), os.Chmod(s.path, 0o604)); err != nil {
		t.Fatal(err)
	}
	if err := carryOut(t, image, gone); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(s.path); err != nil || info.Mode().Perm() != 0o604 {
		t.Errorf("%v, %v: want the mode of before", info.Mode(), err)
	}
	if err := carryOut(t, image, adapt.Edit{Name: find(t, image, "semantic/").Name}); !errors.Is(err, backend.ErrChanged) {
		t.Errorf("%v: the image is that of before", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(s.path)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v: want the database alone", entries, err)
	}
}

// What an edit could spoil is shown, and stays as it is: a newer version, a value of another form.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	all := len(imageOf(t, opened(t)).Entries)
	for statement, why := range map[string]string{
		"INSERT INTO schema_version VALUES ('0004', 'add_mood', 1)":                                     whyNewer,
		"ALTER TABLE episodic_memory DROP COLUMN valence":                                               "",
		"UPDATE working_memory SET value = x'00ff' WHERE key = 'release'":                               "",
		"UPDATE semantic_entities SET description = CAST(x'ff' AS TEXT) WHERE name = 'connection pool'": "",
		"UPDATE shared_memory SET value = '{'":                                                          "",
	} {
		s := opened(t, statement)
		image := imageOf(t, s)
		if len(image.Entries) != all || image.ReadOnly != why || (why != "") != (len(image.Problems) > 0) {
			t.Errorf("%s: %d records, %q, %q", statement, len(image.Entries), image.ReadOnly, image.Problems)
		}
		fixed := 0
		for _, e := range image.Entries {
			if e.Fixed != "" {
				fixed++
			}
		}
		if strings.HasPrefix(statement, "UPDATE") != (fixed == 1) {
			t.Errorf("%s: %d records can't be changed", statement, fixed)
		}
		if (image.Editor == nil) != (why != "") {
			t.Errorf("%s: it can be edited: %t", statement, image.Editor != nil)
		}
	}
}

func TestServers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, work string
		want       bool
	}{
		{"node /opt/cc-memory/dist/index.js", "/", true},
		{"/usr/bin/node --inspect dist/http-server.js", "/src/cc-memory", true},
		{"node -r dotenv/config dist/index.js", "/src/cc-memory", true},
		{"node /home/ann/my tools/cc-memory/dist/index.js", "/", true},
		{"node dist/index.js", "/src/shop", false},
		{"node /srv/lib/node_modules/.bin/cc-memory", "/", true},
		{"npx -y cc-memory", "/", true},
		{"npm exec cc-memory", "/", true},
		{"bash /src/cc-memory/run.sh", "/", true},
		{"cc-memory-cli serve", "/", true},
		{"vim /src/cc-memory/README.md", "/src/cc-memory", false},
		{"memcurator /data/cc-memory/memory.db", "/", false},
		{"node /srv/app/server.js --about cc-memory", "/", false},
	} {
		if got := isServer(strings.Fields(c.line), c.work); got != c.want {
			t.Errorf("%s in %s: %v", c.line, c.work, got)
		}
	}
	if pids, err := servers(); err != nil {
		t.Errorf("%v, %v", pids, err)
	}
}

// The scores were given by the program itself, for the same records and the same time.
func TestRecall(t *testing.T) {
	t.Parallel()
	got, ignored, err := RecallFrom(context.Background(), opened(t).path, "Deploy  pool\ntimeouts db", noon)
	if err != nil || !slices.Equal(ignored, []string{"db"}) {
		t.Fatal(ignored, err)
	}
	var rows []string
	for _, c := range got {
		sum := 0.0
		for _, term := range c.Terms {
			sum += term.Value * term.Weight
		}
		for _, f := range c.Factors {
			sum *= f.Value
		}
		if math.Abs(sum-c.Score) > 1e-12 {
			t.Errorf("the terms of %s make %v, not %v", c.Path, sum, c.Score)
		}
		name := strings.Split(filepath.Base(c.Path), " ")[0]
		rows = append(rows, fmt.Sprintf("%s %s %.9f", c.Layer, strings.TrimSuffix(name, extension), c.Score))
	}
	want := `working release 1.141666667
working deploy-next 0.849166667
working open 0.526666667
working failing 0.491666667
episodic PostgreSQL 0.876824559
episodic Deployed 0.857762521
episodic Session 0.723314149
semantic connection 0.810984269
semantic deploy 0.801218464`
	if s := strings.Join(rows, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}

// An export that was read and written again is what it was, but for its time.
func TestExport(t *testing.T) {
	t.Parallel()
	s := opened(t)
	data, records, left, err := Export(t.Context(), s.path, noon)
	if err != nil || records != 25 || left != 5 {
		t.Fatalf("%d records, %d left out, %v", records, left, err)
	}
	file := filepath.Join(t.TempDir(), "export.json")
	if err := os.WriteFile(file, data, 0o600); err != nil || !recognizeExport(file) || recognizeExport(s.path) {
		t.Errorf("the export isn't recognized, or the database is: %v", err)
	}
	for _, want := range []string{`"metadata": {`, `"expiresAt": 1773`, `"relatedEpisodes": [`, `"relationType": "used_by"`, `"from": "`, `"learnings": [`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the export has no %s", want)
		}
	}
	image, err := readExport(t.Context(), file)
	if err != nil || len(image.Entries) != records-1 || image.ReadOnly == "" {
		t.Fatalf("%v", err)
	}
	database := imageOf(t, s)
	for _, e := range image.Entries {
		if it := find(t, database, e.Name); it.Name != e.Name || string(it.Text) != string(e.Text) {
			t.Errorf("%s has another text in the database:\n%s\n%s", e.Name, it.Text, e.Text)
		}
	}
}

func FuzzParseExport(f *testing.F) {
	for _, s := range []string{"", "{", `{"version":"1","exportedAt":1,"working":null,"semantic":null}`,
		`{"version":"1","exportedAt":1,"episodic":[{}],"working":[{"metadata":[]}, null],"transcripts":{"a":null}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = parseExport(data)
	})
}

// A text that went is in no byte of the file, and the search index is empty, so that the program makes it again.
func TestNothingIsLeftOfADeletedRecord(t *testing.T) {
	t.Parallel()
	s := opened(t)
	if err := carryOut(t, imageOf(t, s), adapt.Edit{Name: find(t, imageOf(t, s), "episodic/2026-02/Queue").Name}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(s.path)
	if err != nil || strings.Contains(string(data), "consumer waited") {
		t.Errorf("the text is still there: %v", err)
	}
	b, err := readDatabase(t.Context(), s.path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := b.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n int
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM search_index").Scan(&n); err != nil || n > 0 {
		t.Errorf("%d rows in the search index, %v", n, err)
	}
}
