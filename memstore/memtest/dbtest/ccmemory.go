package dbtest

import (
	"database/sql"
	"errors"
	"regexp"
	"strconv"
	"time"
)

// WriteCCMemory makes a database of cc-memory (its commit 30d7ed2) at path, where nothing may be: the tables and columns that the program
// makes, and records of every kind, as an agent leaves them after some weeks with a web service. They end at now. Of the search index there
// is one row. empty leaves the records out.
func WriteCCMemory(path string, now time.Time, empty bool) error {
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(memory)&_pragma=synchronous(off)") // no URI: tests have # in their paths
	if err != nil {
		return err
	}
	statements := ccMemorySchema
	if !empty {
		statements += timed(ccMemoryRows, now)
	}
	_, err = db.Exec(statements)
	return errors.Join(err, db.Close())
}

// ago matches a time before now: @3h is three hours ago, @-3h in three hours.
var ago = regexp.MustCompile(`@(-?\d+)([dhm])`)

// timed puts milliseconds since 1970 in the place of times before now.
func timed(statements string, now time.Time) string {
	return ago.ReplaceAllStringFunc(statements, func(s string) string {
		m := ago.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[1]) // digits
		unit := map[string]time.Duration{"d": 24 * time.Hour, "h": time.Hour, "m": time.Minute}[m[2]]
		return strconv.FormatInt(now.Add(-time.Duration(n)*unit).UnixMilli(), 10)
	})
}

const ccMemorySchema = `
CREATE TABLE working_memory (id TEXT PRIMARY KEY, key TEXT UNIQUE NOT NULL, type TEXT NOT NULL, value TEXT NOT NULL,
	session_id TEXT NOT NULL, priority TEXT DEFAULT 'medium', tags TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
	expires_at INTEGER NOT NULL, origin_id TEXT, origin_name TEXT, sync_seq INTEGER DEFAULT 0);
CREATE INDEX idx_working_key ON working_memory(key);
CREATE TABLE episodic_memory (id TEXT PRIMARY KEY, timestamp INTEGER NOT NULL, type TEXT NOT NULL, summary TEXT NOT NULL,
	details TEXT NOT NULL, context TEXT, outcome TEXT, related_episodes TEXT, related_entities TEXT, importance INTEGER DEFAULT 5,
	access_count INTEGER DEFAULT 0, last_accessed INTEGER, tags TEXT, created_at INTEGER NOT NULL, agent_id TEXT, agent_role TEXT,
	contributing_agents TEXT, knowledge_level TEXT DEFAULT 'raw_experience', derived_patterns TEXT, origin_id TEXT, origin_name TEXT,
	sync_seq INTEGER DEFAULT 0, stability REAL DEFAULT 1.0, valence REAL DEFAULT 0, arousal REAL DEFAULT 0.5);
CREATE TABLE episode_transcripts (id TEXT PRIMARY KEY, episode_id TEXT NOT NULL REFERENCES episodic_memory(id) ON DELETE CASCADE,
	transcript TEXT NOT NULL, message_count INTEGER NOT NULL, total_chars INTEGER NOT NULL, created_at INTEGER NOT NULL);
CREATE TABLE semantic_entities (id TEXT PRIMARY KEY, name TEXT UNIQUE NOT NULL, type TEXT NOT NULL, description TEXT NOT NULL,
	content TEXT, procedure TEXT, observations TEXT, confidence REAL DEFAULT 1.0, source TEXT DEFAULT 'user', version INTEGER DEFAULT 1,
	tags TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, source_agent_id TEXT, source_agent_role TEXT, validated_by TEXT,
	cross_domain_relevance TEXT, knowledge_level TEXT DEFAULT 'pattern', derived_from TEXT, origin_id TEXT, origin_name TEXT,
	sync_seq INTEGER DEFAULT 0);
CREATE TABLE semantic_relations (id TEXT PRIMARY KEY, from_entity TEXT NOT NULL REFERENCES semantic_entities(id) ON DELETE CASCADE,
	to_entity TEXT NOT NULL REFERENCES semantic_entities(id) ON DELETE CASCADE, relation_type TEXT NOT NULL,
	strength REAL DEFAULT 1.0, metadata TEXT, created_at INTEGER NOT NULL);
CREATE TABLE agents (id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, specializations TEXT, capabilities TEXT,
	knowledge_domains TEXT, created_at INTEGER NOT NULL, last_active_at INTEGER NOT NULL);
CREATE TABLE parallelization_meta (id TEXT PRIMARY KEY, tachikoma_id TEXT UNIQUE NOT NULL, tachikoma_name TEXT,
	sync_seq INTEGER NOT NULL DEFAULT 0, sync_vector TEXT NOT NULL DEFAULT '{}', last_sync_at INTEGER, created_at INTEGER NOT NULL);
CREATE TABLE sync_history (id TEXT PRIMARY KEY, remote_tachikoma_id TEXT NOT NULL, remote_tachikoma_name TEXT, sync_type TEXT NOT NULL,
	items_count INTEGER NOT NULL, conflicts_count INTEGER NOT NULL, sync_vector TEXT NOT NULL, created_at INTEGER NOT NULL);
CREATE TABLE conflicts (id TEXT PRIMARY KEY, memory_type TEXT NOT NULL, local_item TEXT NOT NULL, remote_item TEXT NOT NULL,
	strategy TEXT NOT NULL, resolved_at INTEGER, resolution TEXT, created_at INTEGER NOT NULL);
CREATE TABLE patterns (id TEXT PRIMARY KEY, pattern TEXT NOT NULL, frequency INTEGER DEFAULT 1, confidence REAL DEFAULT 0.5,
	supporting_episodes TEXT, related_tags TEXT, agent_roles TEXT, source_agent_id TEXT, status TEXT DEFAULT 'candidate',
	created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE insights (id TEXT PRIMARY KEY, insight TEXT NOT NULL, reasoning TEXT, source_patterns TEXT, confidence REAL DEFAULT 0.5,
	novelty REAL DEFAULT 0.5, utility REAL DEFAULT 0.5, domains TEXT, source_agent_id TEXT, validated_by TEXT,
	status TEXT DEFAULT 'candidate', knowledge_level TEXT DEFAULT 'insight', created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE wisdom (id TEXT PRIMARY KEY, name TEXT UNIQUE NOT NULL, principle TEXT NOT NULL, description TEXT NOT NULL,
	derived_from_insights TEXT, derived_from_patterns TEXT, evidence_episodes TEXT, applicable_domains TEXT, applicable_contexts TEXT,
	limitations TEXT, validation_count INTEGER DEFAULT 0, successful_applications INTEGER DEFAULT 0,
	failed_applications INTEGER DEFAULT 0, confidence_score REAL DEFAULT 0.5, created_by TEXT, contributing_agents TEXT,
	version INTEGER DEFAULT 1, tags TEXT, related_wisdom TEXT, contradictory_wisdom TEXT, created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL);
CREATE TABLE wisdom_applications (id TEXT PRIMARY KEY, wisdom_id TEXT NOT NULL REFERENCES wisdom(id) ON DELETE CASCADE, episode_id TEXT,
	context TEXT NOT NULL, result TEXT NOT NULL, feedback TEXT, applied_by TEXT, applied_at INTEGER NOT NULL);
CREATE TABLE shared_memory (id TEXT PRIMARY KEY, key TEXT NOT NULL, namespace TEXT NOT NULL, value TEXT NOT NULL,
	visibility TEXT NOT NULL, owner TEXT NOT NULL, vector_clock TEXT NOT NULL DEFAULT '{}', tags TEXT, created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL, sync_seq INTEGER DEFAULT 0, UNIQUE(namespace, key));
CREATE TABLE audit_log (id TEXT PRIMARY KEY, timestamp INTEGER NOT NULL, actor TEXT NOT NULL, actor_permission_level TEXT,
	action TEXT NOT NULL, resource TEXT NOT NULL, resource_type TEXT NOT NULL, target TEXT, result TEXT NOT NULL, reason TEXT,
	metadata TEXT, team TEXT, session_id TEXT, ip_address TEXT);
CREATE TABLE event_store (id TEXT PRIMARY KEY, type TEXT NOT NULL, timestamp INTEGER NOT NULL, session_id TEXT, payload TEXT NOT NULL);
CREATE TABLE search_index (term TEXT NOT NULL, doc_type TEXT NOT NULL, doc_id TEXT NOT NULL, frequency INTEGER DEFAULT 1,
	created_at INTEGER NOT NULL, PRIMARY KEY (term, doc_type, doc_id));
CREATE INDEX idx_search_term ON search_index(term);
CREATE TABLE schema_version (version TEXT PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL);
INSERT INTO schema_version VALUES ('0001', 'initial_schema', 1770000000000), ('0002', 'add_stability_field', 1770000000000),
	('0003', 'add_valence_arousal', 1770000000000);
`

const ccMemoryRows = `
INSERT INTO working_memory (id, key, type, value, session_id, priority, tags, created_at, updated_at, expires_at) VALUES
('019ceb92-ea80-7000-812c-00000000012c', 'deploy/next step', 'task_state', '"Ask for the window before the release."', 'session-today',
	'medium', '["deploy"]', @3h, @3h, @-21h),
('019cebc9-d900-7000-812d-00000000012d', 'release', 'task_state',
	'{"version":"2.2","blocked":true,"steps":["build","migrate","switch"]}', 'session-today', 'high', '["deploy","release"]', @2h, @2h, @-22h),
('019cec00-c780-7000-812e-00000000012e', 'use tokens', 'decision', '"Tokens of 15 minutes instead of sessions."', 'session-today', 'high',
	'["auth"]', @1h, @1h, @-3h),
('019cebc9-d900-7000-812f-00000000012f', '認証の方針', 'decision', '"リフレッシュトークンは一度だけ使える"', 'session-today', 'medium', '["認証"]',
	@2h, @2h, @-2h),
('019cec15-d620-7000-8130-000000000130', 'failing test', 'context', '"TestPool fails one time in ten"', 'session-today', 'low', '[]',
	@37m, @37m, @-23m),
('019cec1c-3ec0-7000-8131-000000000131', 'open file', 'context', '{"path":"internal/pool.go","line":120}', 'session-today', 'low',
	'["pool"]', @30m, @30m, @-30m),
('019cec2e-8e40-7000-8132-000000000132', 'sum', 'scratch', '42', 'session-today', 'low', '[]', @10m, @10m, @-20m),
('019cec33-2220-7000-8133-000000000133', 'timing', 'scratch', '[1.5,2,null,true]', 'session-today', 'medium', '["performance"]',
	@5m, @5m, @-25m),
('019ceb92-ea80-7000-8134-000000000134', 'old idea', 'scratch', '"Try it without the cache."', 'session-today', 'medium', '[]',
	@3h, @3h, @150m);
INSERT INTO episodic_memory (id, timestamp, type, summary, details, context, outcome, related_episodes, related_entities, importance,
	access_count, last_accessed, tags, created_at, valence, arousal) VALUES
('019c1e39-5600-7000-8000-000000000000', @40d, 'error', 'PostgreSQL connection timeout',
	'The pool of 10 connections was exhausted at the peak of the evening.',
	'{"sessionId":"session-error","projectPath":"/srv/shop","branch":"main"}',
	'{"status":"success","learnings":["10 connections are too few"],"resolution":"50 connections"}', '[]',
	'["019c8538-8600-7000-8064-000000000064"]', 8, 3, @942h, '["database","performance"]', @40d, -0.7, 0.8),
('019c4245-da00-7000-8001-000000000001', @33d, 'success', 'Deployed v2.1 without downtime', 'Blue and green; health checks first.',
	'{"sessionId":"session-success","projectPath":"/srv/shop","branch":"main"}',
	'{"status":"success","learnings":["Warm the cache before the switch"]}', '[]', '[]', 7, 6, @756h, '["deploy"]', @33d, 0.8, 0.7),
('019c8012-2a00-7000-8002-000000000002', @21d, 'milestone', 'ユーザー認証を移行した', 'セッションからトークンへ移行。期限は15分。',
	'{"sessionId":"session-milestone","projectPath":"/srv/shop","branch":"auth"}', NULL, '[]', '["019c8538-8600-7000-8066-000000000066"]',
	9, 1, @498h, '["auth","認証"]', @21d, 0.9, 0.9),
('019ca41e-ae00-7000-8003-000000000003', @14d, 'incident', 'Queue stalled: 40,000 messages', 'The consumer waited for a lock.

- found by the alarm
- restarted by hand', '{"sessionId":"session-incident","projectPath":"/srv/shop","branch":"main"}', '{"status":"partial","learnings":[]}',
	'["019c1e39-5600-7000-8000-000000000000"]', '[]', 6, 0, @14d, '["queue","incident"]', @14d, -0.5, 0.7),
('019ce1ea-fe00-7000-8004-000000000004', @2d, 'interaction', 'Session end consolidation: deploy/next step',
	'Ask for the window before the release.', '{"sessionId":"session-interaction"}', NULL, '[]', '[]', 5, 0, @2d,
	'["deploy","session-consolidated","priority-medium"]', @2d, 0, 0.5),
('019ce711-5a00-7000-8005-000000000005', @1d, 'interaction', 'Prefers short answers', 'No lists unless asked; code first.',
	'{"sessionId":"session-interaction"}', NULL, '[]', '[]', 2, 12, @-2d, '["preference"]', @1d, 0, 0.5);
INSERT INTO episode_transcripts VALUES
('tr_019bb73a-2600-7000-8063-000000000063', '019bb73a-2600-7000-8063-000000000063', -- of a deleted episode
	'[{"role":"user","content":"What did we decide on retries?"},{"role":"assistant","content":"Three times, with a delay."}]', 2, 120,
	1770000000000),
('tr_019c1e39-5600-7000-8000-000000000000', '019c1e39-5600-7000-8000-000000000000',
	'[{"role":"user","content":"Why do requests time out?","timestamp":1770033600000},{"role":"assistant","content":"The pool is empty: 10 of 10 in use."}]',
	2, 150, @40d);
INSERT INTO semantic_entities (id, name, type, description, content, procedure, observations, confidence, source, version, tags,
	created_at, updated_at) VALUES
('019c8538-8600-7000-8064-000000000064', 'connection pool', 'config', '50 connections, 5 s to wait.', '{"max":50,"wait":5}', NULL,
	'["10 were too few","100 make the server slow"]', 0.9, 'user', 3, '["database"]', @20d, @10d),
('019c8538-8600-7000-8065-000000000065', 'deploy procedure', 'procedure', 'How a release goes out.', NULL,
	'{"steps":["Build","Migrate","Switch"],"preconditions":["The window is agreed"]}', '[]', 1, 'user', 1, '["deploy"]', @479h, @9d),
('019c8538-8600-7000-8066-000000000066', 'トークン', 'fact', '期限は15分、更新は一度だけ。', NULL, NULL, '["RFC 6749"]', 0.8, 'user', 2,
	'["認証"]', @478h, @8d),
('019c8538-8600-7000-8067-000000000067', 'Short answers', 'preference', 'Answers should be short.', NULL, NULL, '[]', 0.7, 'user', 1, '[]',
	@477h, @7d),
('019c8538-8600-7000-8068-000000000068', 'short  answers', 'preference', 'Answers: short, code first.', NULL, NULL, '["said twice"]', 1,
	'user', 1, '["style"]', @476h, @6d),
('019c8538-8600-7000-8069-000000000069', 'ship 2.2', 'goal', 'Release 2.2 this month.',
	'{"description":"Release 2.2 this month.","status":"active","progress":50}', NULL, '[]', 1, 'user', 1, '["goal"]', @475h, @5d);
INSERT INTO semantic_relations VALUES
('019cbdde-7a00-7000-80c8-0000000000c8', '019c8538-8600-7000-8064-000000000064', '019c8538-8600-7000-8065-000000000065', 'used_by', 0.9,
	NULL, @9d),
('019cbdde-7a00-7000-80c9-0000000000c9', '019c8538-8600-7000-8065-000000000065', '019c8538-8600-7000-8066-000000000066', 'depends_on',
	0.7, '{"since":"v2"}', @9d),
('019cbdde-7a00-7000-80ca-0000000000ca', '019c8538-8600-7000-8068-000000000068', '019c8538-8600-7000-8067-000000000067', 'supersedes', 1,
	NULL, @9d);
INSERT INTO patterns (id, pattern, confidence, supporting_episodes, related_tags, agent_roles, created_at, updated_at) VALUES
('pattern_1', 'Timeouts follow a full pool', 0.7, '["019c1e39-5600-7000-8000-000000000000"]', '["database"]', '[]', @8d, @8d);
INSERT INTO insights (id, insight, reasoning, source_patterns, confidence, domains, validated_by, created_at, updated_at) VALUES
('insight_1', 'Limits should be measured, not guessed', 'Three limits were wrong.', '["pattern_1"]', 0.6, '["operations"]', '[]', @7d, @7d);
INSERT INTO wisdom (id, name, principle, description, derived_from_insights, derived_from_patterns, evidence_episodes, applicable_domains,
	applicable_contexts, limitations, contributing_agents, tags, related_wisdom, contradictory_wisdom, created_at, updated_at) VALUES
('wisdom_1', 'Measure first', 'Measure before you change a limit.', 'Guesses were wrong three times.', '["insight_1"]', '[]', '[]',
	'["operations"]', '[]', '["Not in an incident"]', '[]', '["limits"]', '[]', '[]', @6d, @6d);
INSERT INTO shared_memory VALUES ('019ce711-5a00-7000-8190-000000000190', 'handover', 'team/shop',
	'{"by":"builder","note":"Migrations done."}', '["*"]', 'builder', '{"builder":2}', '["release"]', @1d, @20h, 2);
INSERT INTO search_index VALUES ('pool', 'episodic', '019c1e39-5600-7000-8000-000000000000', 1, @40d);
INSERT INTO agents VALUES ('agent_1', 'builder', 'backend', '["go"]', '[]', '["shop"]', @30d, @1d);
INSERT INTO sync_history VALUES ('sync_1', 'laptop', 'Laptop', 'export', 12, 1, '{"laptop":4}', @5d);
INSERT INTO conflicts VALUES ('conflict_1', 'working', '{"key":"release","value":"2.1"}', '{"key":"release","value":"2.2"}',
	'merge_learnings', NULL, NULL, @5d);
INSERT INTO audit_log VALUES ('audit_1', @4d, 'builder', 'write', 'memory:create', 'episodic', 'memory',
	'019ca41e-ae00-7000-8003-000000000003', 'success', NULL, '{"summary":"Queue stalled: 40,000 messages"}', 'shop', 'session-incident',
	'127.0.0.1');
INSERT INTO event_store VALUES ('evt_1', 'memory:episodic:created', @14d, 'session-incident',
	'{"type":"memory:episodic:created","summary":"Queue stalled: 40,000 messages"}');
`
