package cctest

import "strings"

// table is one table: its columns as SQL declares them, and its indexes, each "name: columns".
type table struct {
	name    string
	columns []string
	indexes []string
}

// origin is the columns that several tables have for synchronisation between machines.
const origin = "origin_id TEXT, origin_name TEXT, sync_seq INTEGER DEFAULT 0"

// tables of a new database, in the order in which the program makes them.
var tables = []table{
	{"working_memory", cols(`id TEXT PRIMARY KEY, key TEXT UNIQUE NOT NULL, type TEXT NOT NULL, value TEXT NOT NULL, session_id TEXT NOT NULL,
		priority TEXT DEFAULT 'medium', tags TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
		expires_at INTEGER NOT NULL, ` + origin),
		[]string{"idx_working_key: key", "idx_working_expires: expires_at", "idx_working_session: session_id"}},
	{"episodic_memory", cols(`id TEXT PRIMARY KEY, timestamp INTEGER NOT NULL, type TEXT NOT NULL, summary TEXT NOT NULL,
		details TEXT NOT NULL,
		context TEXT, outcome TEXT, related_episodes TEXT, related_entities TEXT, importance INTEGER DEFAULT 5,
		access_count INTEGER DEFAULT 0, last_accessed INTEGER, tags TEXT, created_at INTEGER NOT NULL, agent_id TEXT, agent_role TEXT,
		contributing_agents TEXT, knowledge_level TEXT DEFAULT 'raw_experience', derived_patterns TEXT, ` + origin + `,
		stability REAL DEFAULT 1.0, valence REAL DEFAULT 0, arousal REAL DEFAULT 0.5`),
		[]string{"idx_episode_timestamp: timestamp", "idx_episode_type: type", "idx_episode_importance: importance"}},
	{"episode_transcripts", cols(`id TEXT PRIMARY KEY, episode_id TEXT NOT NULL REFERENCES episodic_memory(id) ON DELETE CASCADE,
		transcript TEXT NOT NULL, message_count INTEGER NOT NULL, total_chars INTEGER NOT NULL, created_at INTEGER NOT NULL`),
		[]string{"idx_transcript_episode: episode_id"}},
	{"semantic_entities", cols(`id TEXT PRIMARY KEY, name TEXT UNIQUE NOT NULL, type TEXT NOT NULL, description TEXT NOT NULL, content TEXT,
		procedure TEXT, observations TEXT, confidence REAL DEFAULT 1.0, source TEXT DEFAULT 'user', version INTEGER DEFAULT 1, tags TEXT,
		created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, source_agent_id TEXT, source_agent_role TEXT, validated_by TEXT,
		cross_domain_relevance TEXT, knowledge_level TEXT DEFAULT 'pattern', derived_from TEXT, ` + origin),
		[]string{"idx_semantic_name: name", "idx_semantic_type: type"}},
	{"semantic_relations", cols(`id TEXT PRIMARY KEY, from_entity TEXT NOT NULL REFERENCES semantic_entities(id) ON DELETE CASCADE,
		to_entity TEXT NOT NULL REFERENCES semantic_entities(id) ON DELETE CASCADE, relation_type TEXT NOT NULL,
		strength REAL DEFAULT 1.0, metadata TEXT, created_at INTEGER NOT NULL`),
		[]string{"idx_relation_from: from_entity", "idx_relation_to: to_entity"}},
	{"agents", cols(`id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, specializations TEXT, capabilities TEXT,
		knowledge_domains TEXT, created_at INTEGER NOT NULL, last_active_at INTEGER NOT NULL`),
		[]string{"idx_agents_role: role", "idx_agents_active: last_active_at"}},
	{"parallelization_meta", cols(`id TEXT PRIMARY KEY, tachikoma_id TEXT UNIQUE NOT NULL, tachikoma_name TEXT,
		sync_seq INTEGER NOT NULL DEFAULT 0, sync_vector TEXT NOT NULL DEFAULT '{}', last_sync_at INTEGER, created_at INTEGER NOT NULL`), nil},
	{"sync_history", cols(`id TEXT PRIMARY KEY, remote_tachikoma_id TEXT NOT NULL, remote_tachikoma_name TEXT, sync_type TEXT NOT NULL,
		items_count INTEGER NOT NULL, conflicts_count INTEGER NOT NULL, sync_vector TEXT NOT NULL, created_at INTEGER NOT NULL`), nil},
	{"conflicts", cols(`id TEXT PRIMARY KEY, memory_type TEXT NOT NULL, local_item TEXT NOT NULL, remote_item TEXT NOT NULL,
		strategy TEXT NOT NULL, resolved_at INTEGER, resolution TEXT, created_at INTEGER NOT NULL`),
		[]string{"idx_conflicts_resolved: resolved_at"}},
	{"patterns", cols(`id TEXT PRIMARY KEY, pattern TEXT NOT NULL, frequency INTEGER DEFAULT 1, confidence REAL DEFAULT 0.5,
		supporting_episodes TEXT, related_tags TEXT, agent_roles TEXT, source_agent_id TEXT, status TEXT DEFAULT 'candidate',
		created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL`),
		[]string{"idx_patterns_confidence: confidence", "idx_patterns_status: status"}},
	{"insights", cols(`id TEXT PRIMARY KEY, insight TEXT NOT NULL, reasoning TEXT, source_patterns TEXT, confidence REAL DEFAULT 0.5,
		novelty REAL DEFAULT 0.5, utility REAL DEFAULT 0.5, domains TEXT, source_agent_id TEXT, validated_by TEXT,
		status TEXT DEFAULT 'candidate', knowledge_level TEXT DEFAULT 'insight', created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL`),
		[]string{"idx_insights_confidence: confidence", "idx_insights_status: status"}},
	{"wisdom", cols(`id TEXT PRIMARY KEY, name TEXT UNIQUE NOT NULL, principle TEXT NOT NULL, description TEXT NOT NULL,
		derived_from_insights TEXT, derived_from_patterns TEXT, evidence_episodes TEXT, applicable_domains TEXT,
		applicable_contexts TEXT, limitations TEXT, validation_count INTEGER DEFAULT 0, successful_applications INTEGER DEFAULT 0,
		failed_applications INTEGER DEFAULT 0, confidence_score REAL DEFAULT 0.5, created_by TEXT, contributing_agents TEXT,
		version INTEGER DEFAULT 1, tags TEXT, related_wisdom TEXT, contradictory_wisdom TEXT, created_at INTEGER NOT NULL,
		updated_at INTEGER NOT NULL`),
		[]string{"idx_wisdom_name: name", "idx_wisdom_confidence: confidence_score"}},
	{"wisdom_applications", cols(`id TEXT PRIMARY KEY, wisdom_id TEXT NOT NULL REFERENCES wisdom(id) ON DELETE CASCADE, episode_id TEXT,
		context TEXT NOT NULL, result TEXT NOT NULL, feedback TEXT, applied_by TEXT, applied_at INTEGER NOT NULL`),
		[]string{"idx_wisdom_app_wisdom: wisdom_id", "idx_wisdom_app_result: result"}},
	{"shared_memory", cols(`id TEXT PRIMARY KEY, key TEXT NOT NULL, namespace TEXT NOT NULL, value TEXT NOT NULL, visibility TEXT NOT NULL,
		owner TEXT NOT NULL, vector_clock TEXT NOT NULL DEFAULT '{}', tags TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
		sync_seq INTEGER DEFAULT 0, UNIQUE(namespace;key)`),
		[]string{"idx_shared_namespace: namespace", "idx_shared_key: key", "idx_shared_owner: owner", "idx_shared_updated: updated_at"}},
	{"audit_log", cols(`id TEXT PRIMARY KEY, timestamp INTEGER NOT NULL, actor TEXT NOT NULL, actor_permission_level TEXT,
		action TEXT NOT NULL,
		resource TEXT NOT NULL, resource_type TEXT NOT NULL, target TEXT, result TEXT NOT NULL, reason TEXT, metadata TEXT, team TEXT,
		session_id TEXT, ip_address TEXT`),
		[]string{"idx_audit_timestamp: timestamp", "idx_audit_actor: actor", "idx_audit_action: action", "idx_audit_result: result",
			"idx_audit_team: team"}},
	{"schema_version", cols(`version TEXT PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL`), nil},
	{"search_index", cols(`term TEXT NOT NULL, doc_type TEXT NOT NULL, doc_id TEXT NOT NULL, frequency INTEGER DEFAULT 1,
		created_at INTEGER NOT NULL, PRIMARY KEY (term; doc_type; doc_id)`),
		[]string{"idx_search_term: term", "idx_search_doc: doc_type, doc_id"}},
}

// events is the table that the program makes only where it keeps its events.
var events = table{"event_store", cols(`id TEXT PRIMARY KEY, type TEXT NOT NULL, timestamp INTEGER NOT NULL, session_id TEXT,
	payload TEXT NOT NULL`),
	[]string{"idx_events_type: type", "idx_events_timestamp: timestamp", "idx_events_session: session_id"}}

// migrations are what the program's table of versions says of a new database.
var migrations = [][2]string{{"0001", "initial_schema"}, {"0002", "add_stability_field"}, {"0003", "add_valence_arousal"}}

// cols splits declarations at commas; a semicolon stands for a comma within one.
func cols(list string) []string {
	var out []string
	for c := range strings.SplitSeq(list, ",") {
		out = append(out, strings.ReplaceAll(strings.Join(strings.Fields(c), " "), ";", ","))
	}
	return out
}

// statements make the table and its indexes.
func (t table) statements() []string {
	s := []string{"CREATE TABLE " + t.name + " (" + strings.Join(t.columns, ", ") + ")"}
	for _, index := range t.indexes {
		name, columns, _ := strings.Cut(index, ": ")
		s = append(s, "CREATE INDEX "+name+" ON "+t.name+"("+columns+")")
	}
	return s
}
