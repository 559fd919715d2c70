package ccmemory

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
	"memcurator/memstore/memtest/cctest"
)

// opened is a source on a database with records: no server runs, it is noon, and there is a folder for backups.
func opened(t testing.TB, m cctest.Memory) *Source {
	t.Helper()
	_, folder := written(t, m)
	source, err := open(filepath.Join(folder, fileName))
	if err != nil {
		t.Fatal(err)
	}
	s := source.(*Source)
	s.servers = func() ([]int, error) { return nil, nil }
	s.now = func() time.Time { return noon }
	backups := t.TempDir()
	s.BackUpTo(func() string { return backups })
	return s
}

func imageOf(t testing.TB, s *Source) *adapt.Image {
	t.Helper()
	image, err := s.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return image
}

func entryOf(t testing.TB, image *adapt.Image, name string) adapt.Entry {
	t.Helper()
	for _, e := range image.Entries {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("nothing at %s in %v", name, names(image))
	return adapt.Entry{}
}

func names(image *adapt.Image) (list []string) {
	for _, e := range image.Entries {
		list = append(list, e.Name)
	}
	return list
}

func find(t testing.TB, image *adapt.Image, prefix string) adapt.Entry {
	t.Helper()
	for _, e := range image.Entries {
		if strings.HasPrefix(e.Name, prefix) {
			return e
		}
	}
	t.Fatalf("nothing begins with %s in %v", prefix, names(image))
	return adapt.Entry{}
}

// Looking leaves the file and its folder as they are, and reads every record.
func TestLookingLeavesNoTrace(t *testing.T) {
	t.Parallel()
	s := opened(t, cctest.Sample(noon))
	before, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-1000 * time.Hour)
	if err := os.Chtimes(s.path, old, old); err != nil {
		t.Fatal(err)
	}
	if !recognize(s.path) {
		t.Error("the database isn't recognized")
	}
	image := imageOf(t, s)
	for _, e := range image.Entries {
		if e.Fixed != "" || len(e.Text) == 0 {
			t.Errorf("%s: %q, %d bytes", e.Name, e.Fixed, len(e.Text))
		}
	}
	after, err := os.ReadFile(s.path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file has changed: %v", err)
	}
	info, err := os.Stat(s.path)
	if err != nil {
		t.Fatal(err)
	}
	if at := info.ModTime(); at.Sub(old).Abs() > time.Second {
		t.Errorf("the time of the last change is %v", at)
	}
	if entries, err := os.ReadDir(filepath.Dir(s.path)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v: want the database alone", entries, err)
	}
	for _, folder := range layers {
		if !strings.Contains(strings.Join(image.Folders, "\n"), folder) {
			t.Errorf("%s isn't there", folder)
		}
	}
	t.Log(strings.Join(names(image), "\n"))
}

// edit writes a text as a command does: in its form.
func edit(t testing.TB, s *Source, name string, replace ...string) error {
	t.Helper()
	image := imageOf(t, s)
	old := entryOf(t, image, name).Text
	data, err := s.Form(image, name, old, []byte(strings.NewReplacer(replace...).Replace(string(old))))
	if err != nil {
		return err
	}
	if err := s.Write(t.Context(), image, adapt.Edit{Name: name, Old: old, New: data}); err != nil {
		return err
	}
	if got := entryOf(t, imageOf(t, s), name).Text; string(got) != string(data) {
		t.Errorf("%s is %q, and %q was written", name, got, data)
	}
	return nil
}

func create(t testing.TB, s *Source, name, text string) error {
	t.Helper()
	image := imageOf(t, s)
	data, err := s.Form(image, name, nil, []byte(text))
	if err != nil {
		return err
	}
	if err := s.Write(t.Context(), image, adapt.Edit{Name: name, New: data}); err != nil {
		return err
	}
	if got := entryOf(t, imageOf(t, s), name).Text; string(got) != string(data) {
		t.Errorf("%s is %q, and %q was written", name, got, data)
	}
	return nil
}

// A change is refused where a server runs, without a folder for backups, and if the file has changed since it was read.
func TestGuards(t *testing.T) {
	t.Parallel()
	s := opened(t, cctest.Sample(noon))
	image := imageOf(t, s)
	name := find(t, image, "working/").Name
	gone := adapt.Edit{Name: name}
	refused := func(want string) {
		t.Helper()
		var refusal *backend.Refusal
		if err := s.Write(t.Context(), image, gone); !errors.As(err, &refusal) || !strings.Contains(refusal.Why, want) {
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
	folder := s.backups
	s.BackUpTo(nil)
	refused("can't be backed up")
	s.BackUpTo(func() string { return s.path })
	refused("can't be backed up")
	s.BackUpTo(folder)
	if err := os.Chmod(s.path, 0o604); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), image, gone); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(s.path); err != nil || info.Mode().Perm() != 0o604 {
		t.Errorf("%v, %v: want the mode of before", info.Mode(), err)
	}
	if err := s.Write(t.Context(), image, adapt.Edit{Name: find(t, image, "semantic/").Name}); !errors.Is(err, backend.ErrChanged) {
		t.Errorf("%v: the image is that of before", err)
	}
	backups := s.Backups()
	if len(backups) != 1 {
		t.Fatalf("backups: %v", backups)
	}
	if data, err := os.ReadFile(backups[0]); err != nil || string(data) != string(before) {
		t.Errorf("the backup isn't the database of before: %v", err)
	}
	if info, err := os.Stat(backups[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup: %v, %v", info.Mode(), err)
	}
	if entries, err := os.ReadDir(filepath.Dir(s.path)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v: want the database alone", entries, err)
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

// do carries out an edit, and checks that exactly the files that were named change with it.
func do(t testing.TB, s *Source, e adapt.Edit) error {
	t.Helper()
	image := imageOf(t, s)
	ripples, err := s.Ripples(image, e.Name, e.To, nil)
	if err != nil {
		return err
	}
	want := map[string]string{}
	for _, entry := range image.Entries {
		if e.To == "" && (entry.Name == e.Name || strings.HasPrefix(entry.Name, e.Name+"/")) {
			continue
		}
		want[entry.Name] = string(entry.Text)
	}
	for _, r := range ripples {
		if want[r.Name] != string(r.Before) {
			t.Errorf("%s is %q, not %q", r.Name, want[r.Name], r.Before)
		}
		if want[r.Name] = string(r.After); r.After == nil {
			delete(want, r.Name)
		}
	}
	if e.To != "" {
		want[e.To] = want[e.Name]
		delete(want, e.Name)
	}
	if err := s.Write(t.Context(), image, e); err != nil {
		return err
	}
	after := imageOf(t, s)
	for _, entry := range after.Entries {
		if got, ok := want[entry.Name]; !ok || got != string(entry.Text) {
			t.Errorf("%s: %q, want %q", entry.Name, entry.Text, got)
		}
		delete(want, entry.Name)
	}
	for name := range want {
		t.Errorf("%s is no more", name)
	}
	return nil
}

// Every record can be deleted and given another name, with what depends on it, in every table.
func TestDeletesAndMoves(t *testing.T) {
	t.Parallel()
	s := opened(t, cctest.Sample(noon))
	for _, c := range []struct{ name, to string }{
		{"working/decision/use tokens.md", "working/context/tokens.md"},
		{"working/context/tokens.md", "semantic/fact/tokens.md"},
		{"semantic/fact/tokens.md", "semantic/config/tokens v2.md"},
		{"dikw/wisdom/Measure first.md", "dikw/wisdom/Measure.md"},
		{"shared/team-shop/handover.md", "shared/team/handover.md"},
	} {
		if err := do(t, s, adapt.Edit{Name: c.name, To: c.to}); err != nil {
			t.Errorf("%s to %s: %v", c.name, c.to, err)
		}
	}
	episode := find(t, imageOf(t, s), "episodic/2026-02/2026-02-09").Name
	if err := do(t, s, adapt.Edit{Name: episode, To: strings.Replace(episode, "success Deployed v2.1 without downtime", "milestone Deployed 2.1", 1)}); err != nil {
		t.Error(err)
	}
	for name, to := range map[string]string{
		"working/task_state/release.md":                            "semantic/fact/release.md",
		"semantic/goal/ship 2.2.md":                                "working/scratch/ship.md",
		"semantic/config/tokens v2.md":                             "semantic/colour/x.md",
		"working/decision/認証の方針.md":                                "working/decision/a/b.md",
		"working":                                                  "semantic/working",
		"dikw/wisdom/Measure.md":                                   "notes.md",
		find(t, imageOf(t, s), "episodic/2026-02/2026-02-02").Name: "episodic/2026-02/other.md",
	} {
		var refusal *backend.Refusal
		if err := do(t, s, adapt.Edit{Name: name, To: to}); !errors.As(err, &refusal) {
			t.Errorf("%s to %s: %v", name, to, err)
		}
	}
	for {
		image := imageOf(t, s)
		if len(image.Entries) == 0 {
			break
		}
		name := image.Entries[len(image.Entries)/2].Name
		if strings.HasPrefix(name, "working/") {
			name = "working"
		}
		if err := do(t, s, adapt.Edit{Name: name}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	b := readDatabase(t, filepath.Dir(s.path))
	db, err := b.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range []string{"search_index", "episode_transcripts", "semantic_relations", "episodic_memory", "wisdom_applications"} {
		var n int
		if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil || n > 0 {
			t.Errorf("%s has %d rows: %v", table, n, err)
		}
	}
}

func TestEdits(t *testing.T) {
	t.Parallel()
	s := opened(t, cctest.Sample(noon))
	if err := edit(t, s, "working/decision/use tokens.md", "15 minutes", "10 minutes", "priority: high", "priority: low"); err != nil {
		t.Error(err)
	}
	episode := find(t, imageOf(t, s), "episodic/2026-02/2026-02-02").Name
	if err := edit(t, s, episode, "outcome: success", "outcome: partial", "## Learnings\n", "## Learnings\n- Ask first\n  and then act\n"); err != nil {
		t.Error(err)
	}
	if err := create(t, s, "semantic/fact/port.md", "---\ntags: [db]\nid: e-1\n---\nThe database listens on 5433.\n"); err != nil {
		t.Error(err)
	}
	if err := create(t, s, "episodic/2026-03/2026-03-14 error It broke aabbccdd.md", "---\nkind: error\n---\n# It broke\nBadly.\n"); err != nil {
		t.Error(err)
	}
	if err := create(t, s, "episodic/2026-03/2026-03-14 error It broke aabbccdd.transcript.jsonl", "{\"role\":\"user\",\"content\":\"é\"}\n"); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ name, from, to, why string }{
		{"working/decision/use tokens.md", "expires: 2", "expires: 1", "Line 7: this time is past"},
		{"working/decision/use tokens.md", "id: ", "id: x", "Line 2: id can't be changed"},
		{"working/decision/use tokens.md", "priority: low", "priority: urgent", "Line 3: priority is one of high, medium, low"},
		{episode, "importance: ", "importance: 1", "importance is a number from 1 to 10"},
		{episode, "# PostgreSQL", "# MySQL", "The file is named by what it holds: rename it to"},
		{"semantic/fact/port.md", "confidence: 1", "confidence: 2", "confidence is a number from 0 to 1"},
	} {
		if err := edit(t, s, c.name, c.from, c.to); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want %s", c.name, err, c.why)
		}
	}
	for name, text := range map[string]string{"notes.md": "x\n", "working/x.md": "---\n---\n", "semantic/fact/port2.md": "---\nid: e-1\n---\na\n",
		"episodic/2026-03/broken.md": "---\n---\n# a\n", "working/scratch/a.md": "---\nexpires: 2020-01-01\n---\na\n", "working/other/a.md": "---\n---\na\n"} {
		var refusal *backend.Refusal
		if err := create(t, s, name, text); !errors.As(err, &refusal) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m, err := s.Memory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range m.Working {
		if w.Key == "use tokens" && (w.Updated != millisOf(noon) || !strings.Contains(string(w.Value), "10 minutes")) {
			t.Errorf("%+v", w)
		}
	}
}

// Every text that a record has is stored again as it was, and changes no column.
func TestFormKeepsTexts(t *testing.T) {
	t.Parallel()
	for _, m := range []cctest.Memory{cctest.Sample(noon), cctest.Random(noon, 7, 300)} {
		s := opened(t, m)
		image := imageOf(t, s)
		for _, e := range image.Entries {
			got, err := s.Form(image, e.Name, e.Text, e.Text)
			if err != nil || string(got) != string(e.Text) {
				t.Fatalf("%s: %v\n%s\nwas\n%s", e.Name, err, got, e.Text)
			}
		}
	}
}
