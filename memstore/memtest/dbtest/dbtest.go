// Package dbtest makes databases as cc-memory, claude-mem and engram make them, for tests and for a planted home: all columns of the
// tables that hold what the programs remember, with invented rows. The source that was read is named with each.
package dbtest

import (
	"database/sql"
	"errors"

	_ "modernc.org/sqlite" // the driver
)

// database is one of a program's, with a few rows.
type database struct {
	Program string
	Names   string // where it is below the home folder, with slashes

	schema, rows string
}

// claudeMem is the database of claude-mem: thedotmack/claude-mem 13.15.3, src/services/sqlite/SessionStore.ts and connection.ts at
// e2d1df56.
var claudeMem = database{
	Program: "claude-mem", Names: ".claude-mem/claude-mem.db",
	schema: `
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL, memory_session_id TEXT UNIQUE,
	project TEXT NOT NULL, platform_source TEXT NOT NULL DEFAULT 'claude', user_prompt TEXT, started_at TEXT NOT NULL,
	started_at_epoch INTEGER NOT NULL, completed_at TEXT, completed_at_epoch INTEGER, status TEXT NOT NULL DEFAULT 'active',
	worker_port INTEGER, prompt_counter INTEGER DEFAULT 0, custom_title TEXT);
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT,
	type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
	prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL,
	content_hash TEXT, generated_by_model TEXT, relevance_count INTEGER DEFAULT 0, merged_into_project TEXT, agent_type TEXT, agent_id TEXT,
	metadata TEXT, synced_at INTEGER, origin_device_id TEXT,
	origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1',
	FOREIGN KEY (memory_session_id) REFERENCES sdk_sessions (memory_session_id));
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, request TEXT,
	investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT, prompt_number INTEGER,
	discovery_tokens INTEGER DEFAULT 0, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, merged_into_project TEXT,
	synced_at INTEGER, origin_device_id TEXT, origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1',
	FOREIGN KEY (memory_session_id) REFERENCES sdk_sessions (memory_session_id));
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, session_db_id INTEGER, content_session_id TEXT NOT NULL,
	prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL,
	synced_at INTEGER, origin_device_id TEXT, origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1');
CREATE INDEX idx_observations_project ON observations (project);`,
	rows: `
INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, user_prompt, started_at, started_at_epoch, status)
	VALUES ('c1', 's1', 'ferrybook', 'Why are seats booked twice?', '2025-11-24T15:00:00.000Z', 1763996400000, 'completed');
INSERT INTO observations (memory_session_id, project, type, title, subtitle, facts, narrative, concepts, files_read, created_at,
		created_at_epoch)
	VALUES ('s1', 'ferrybook', 'bugfix', 'Seats were held twice', 'A race', '["ten minutes","one lock"]', 'The lock was taken late.',
		'["locks"]', '["api/hold.go"]', '2025-11-24T15:30:00.000Z', 1763998200000),
	('s1', 'ferrybook', 'discovery', 'The test server needs port 8081', NULL, '[]', 'Port 8080 is the proxy.', '["ports"]', '[]',
		'2025-11-24T15:40:00.000Z', 1763998800000);
INSERT INTO session_summaries (memory_session_id, project, request, learned, next_steps, created_at, created_at_epoch)
	VALUES ('s1', 'ferrybook', 'Fix the race', 'A hold takes the lock first.', 'Release it', '2025-11-24T16:00:00.000Z', 1764000000000);`,
}

// engram is the database of engram: Gentleman-Programming/engram 1.7.0, internal/store/store.go at 1f46479.
var engram = database{
	Program: "engram", Names: ".engram/engram.db",
	schema: `
CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT NOT NULL, directory TEXT NOT NULL,
	started_at TEXT NOT NULL DEFAULT (datetime('now')), ended_at TEXT, summary TEXT);
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, type TEXT NOT NULL, title TEXT NOT NULL,
	content TEXT NOT NULL, tool_name TEXT, project TEXT, scope TEXT NOT NULL DEFAULT 'project', topic_key TEXT, normalized_hash TEXT,
	revision_count INTEGER NOT NULL DEFAULT 1, duplicate_count INTEGER NOT NULL DEFAULT 1, last_seen_at TEXT,
	created_at TEXT NOT NULL DEFAULT (datetime('now')), updated_at TEXT NOT NULL DEFAULT (datetime('now')), deleted_at TEXT,
	FOREIGN KEY (session_id) REFERENCES sessions (id));
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, content TEXT NOT NULL, project TEXT,
	created_at TEXT NOT NULL DEFAULT (datetime('now')), FOREIGN KEY (session_id) REFERENCES sessions (id));
CREATE VIRTUAL TABLE observations_fts USING fts5 (title, content, tool_name, type, project, content='observations', content_rowid='id');
CREATE VIRTUAL TABLE prompts_fts USING fts5 (content, project, content='user_prompts', content_rowid='id');
CREATE TABLE sync_chunks (chunk_id TEXT PRIMARY KEY, imported_at TEXT NOT NULL DEFAULT (datetime('now')));`,
	rows: `
INSERT INTO sessions VALUES ('e1', 'ferrybook', '/srv/ferrybook', '2026-01-02 03:00:00', '2026-01-02 04:00:00', 'Locks for readers');
INSERT INTO observations (session_id, type, title, content, project, topic_key, created_at, updated_at, deleted_at)
	VALUES ('e1', 'decision', 'Use WAL', 'Readers do not wait.', 'ferrybook', 'db/wal', '2026-01-02 03:04:05', '2026-01-03 03:04:05', NULL),
	('e1', 'bugfix', 'Tide tables in local time', 'They were UTC.', 'ferrybook', NULL, '2026-01-02 03:14:05', '2026-01-02 03:14:05',
		'2026-01-04 03:04:05');
INSERT INTO user_prompts (session_id, content, project, created_at)
	VALUES ('e1', 'Why do readers wait?', 'ferrybook', '2026-01-02 03:01:00');`,
}

// All are the databases of this package.
var All = []database{claudeMem, engram}

// Create makes the database at a path, where nothing may be, and leaves it open with its rows in the log beside it, as the running program
// does. Close what is returned.
func (d database) Create(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	for _, statements := range []string{"PRAGMA journal_mode = WAL", d.schema, "PRAGMA wal_checkpoint(TRUNCATE)", d.rows} {
		if _, err := db.Exec(statements); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db, nil
}
