package tables

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

// The tables as the programs make them, with the columns that are shown (thedotmack/claude-mem, src/services/sqlite;
// Gentleman-Programming/engram, internal/store/store.go; read in November 2026).
const (
	claudeMemSchema = `
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, project TEXT, user_prompt TEXT, status TEXT, started_at TEXT, started_at_epoch INTEGER);
CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT, title TEXT, subtitle TEXT,
	facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, created_at TEXT, created_at_epoch INTEGER);
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, project TEXT, request TEXT, learned TEXT, next_steps TEXT, created_at TEXT);
INSERT INTO observations VALUES (7, 's1', 'ferry/book', NULL, 'bugfix', 'Seats are held [twice]', 'A race', '["ten minutes","one lock"]',
	'The lock was taken late.', '["locks"]', '["a.go"]', '2025-11-24T16:00:00.000Z', 1764000000000);
INSERT INTO observations VALUES (8, 's1', NULL, 'plain text', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'no time', NULL);
INSERT INTO session_summaries VALUES (1, 'ferry/book', 'Fix the race', 'Locks', '', '2025-11-24T16:00:00.000Z');`
	engramSchema = `
CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT, directory TEXT, started_at TEXT, ended_at TEXT, summary TEXT);
CREATE TABLE observations (id INTEGER PRIMARY KEY, session_id TEXT, type TEXT, title TEXT, content TEXT, project TEXT, scope TEXT, topic_key TEXT,
	created_at TEXT, updated_at TEXT, deleted_at TEXT);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, session_id TEXT, content TEXT, project TEXT, created_at TEXT);
INSERT INTO observations VALUES (1, 'a', 'decision', 'Use WAL', 'Readers do not wait.', 'ferry', 'project', 'db/wal', '2026-01-02 03:04:05',
	'2026-01-03 03:04:05', '2026-01-04 03:04:05');`
)

// planted writes a database of a schema to the disk.
func planted(t *testing.T, name, schema string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(schema); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

func adapterOf(t *testing.T, file string) adapt.Adapter {
	t.Helper()
	for _, a := range Adapters {
		if a.Recognize(file) {
			return a
		}
	}
	t.Fatalf("%s isn't recognized", file)
	return adapt.Adapter{}
}

func TestRowsAreFiles(t *testing.T) {
	for _, c := range []struct{ name, schema, file, text string }{
		{"claude-mem.db", claudeMemSchema, "observations/ferry-book/2025-11/Seats are held -twice- 7.md",
			"---\nid: 7\nmemory_session_id: s1\nproject: ferry/book\ntype: bugfix\ntitle: Seats are held [twice]\nconcepts: [\"locks\"]\n" +
				"files_read: [\"a.go\"]\ncreated_at: 2025-11-24T16:00:00.000Z\n---\nThe lock was taken late.\n\n## subtitle\n\nA race\n\n" +
				"## facts\n\n- ten minutes\n- one lock\n"},
		{"claude-mem.db", claudeMemSchema, "observations/_/0001-01/_ 8.md", "---\nid: 8\nmemory_session_id: s1\ncreated_at: no time\n---\n\n## text\n\nplain text\n"},
		{"claude-mem.db", claudeMemSchema, "summaries/ferry-book/2025-11/Fix the race 1.md",
			"---\nid: 1\nproject: ferry/book\ncreated_at: 2025-11-24T16:00:00.000Z\n---\nFix the race\n\n## learned\n\nLocks\n"},
		{"engram.db", engramSchema, "observations/ferry/2026-01/Use WAL 1.md",
			"---\nid: 1\nsession_id: a\ntype: decision\nscope: project\ntopic_key: db/wal\ncreated_at: 2026-01-02 03:04:05\n" +
				"updated_at: 2026-01-03 03:04:05\ndeleted_at: 2026-01-04 03:04:05\n---\nReaders do not wait.\n"},
	} {
		file := planted(t, c.name, c.schema)
		before, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := adapt.Open(adapterOf(t, file), file)
		if err != nil {
			t.Fatal(err)
		}
		data, err := backend.ReadFile(s, c.file, backend.Look, 1<<20)
		if err != nil || string(data) != c.text {
			t.Errorf("%s: %q, %v", c.file, data, err)
		}
		if err := s.Remove(c.file); err == nil || !strings.Contains(err.Error(), "only be looked at") {
			t.Errorf("a removal: %v", err)
		}
		if r, ok := s.Record(c.file); !ok || r.ID == "" {
			t.Errorf("%s has the record %+v", c.file, r)
		}
		after, err := os.Stat(file)
		list, _ := os.ReadDir(filepath.Dir(file))
		if err != nil || !after.ModTime().Equal(before.ModTime()) || len(list) != 1 {
			t.Errorf("looking left %v at %v, %v", list, after.ModTime(), err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestOtherDatabasesAreNotRecognized(t *testing.T) {
	for name, schema := range map[string]string{"claude-mem.db": engramSchema, "engram.db": claudeMemSchema, "other.db": engramSchema} {
		file := planted(t, name, schema)
		for _, a := range Adapters {
			if a.Recognize(file) {
				t.Errorf("%s is recognized", name)
			}
		}
	}
}
