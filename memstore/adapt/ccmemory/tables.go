package ccmemory

// form is how the program stores a column.
type form uint8

const (
	text   form = iota // a string
	number             // a number, perhaps with a fraction
	count              // a whole number
	moment             // milliseconds since 1970
	list               // a JSON list of strings
	refs               // a JSON list of IDs of other records
	object             // any JSON
)

// place is where the text of a record has a column.
type place uint8

const (
	hidden  place = iota
	front         // a row of the front matter
	title         // the heading
	body          // what follows it
	section       // under a heading of its own
	named         // a folder or the name of the file, in this order; also in the front matter where it can't be a name
	lists         // an object of lists, each a section
	outcome       // the outcome of an episode: a row of the front matter, two sections
)

// column is one column of a table.
type column struct {
	name    string
	form    form
	at      place
	key     string // in the front matter, or the heading of the section
	missing any    // what the program takes where an older version has no such column
	fixed   bool   // the text shows it, and no edit may change it
	needed  bool   // NOT NULL
	choices []string
	low     float64 // numbers: the range that the program allows, if high isn't 0
	high    float64
}

// table is one table of which records become files. Its first column is its key.
type table struct {
	name    string
	layer   string // what the program calls it
	folder  string // in which its files are
	of      string // what the program calls its documents in search_index; "" if they aren't there
	columns []column
	index   []string // the columns whose words are in search_index, by the program's own order
}

// at is the position of a column; -1 if the table has none of that name.
func (t *table) at(column string) int {
	for i := range t.columns {
		if t.columns[i].name == column {
			return i
		}
	}
	return -1
}

// The values that the program allows, in the order of its types.
var (
	workingKinds  = []string{"task_state", "decision", "context", "scratch"}
	episodeKinds  = []string{"incident", "interaction", "milestone", "error", "success"}
	entityKinds   = []string{"procedure", "fact", "config", "preference", "pattern", "skill", "goal"}
	priorities    = []string{"high", "medium", "low"}
	sources       = []string{"user", "inferred", "system"}
	patternStates = []string{"candidate", "confirmed", "rejected"}
	insightStates = []string{"candidate", "validated", "rejected"}
)

// The tables, by the schema of version 1.0.0 (commit 30d7ed2). Of those that aren't here, nothing is shown; an edit leaves them alone, but
// for the rows of search_index.
var (
	workingTable = &table{name: "working_memory", layer: "working", folder: "working", of: "working", columns: []column{
		{name: "id", at: front, key: "id", fixed: true, needed: true},
		{name: "type", at: named, key: "kind", needed: true, choices: workingKinds},
		{name: "key", at: named, key: "key", needed: true},
		{name: "priority", at: front, key: "priority", missing: "medium", choices: priorities},
		{name: "session_id", at: front, key: "session", needed: true},
		{name: "tags", form: list, at: front, key: "tags"},
		{name: "created_at", form: moment, at: front, key: "created", fixed: true, needed: true},
		{name: "expires_at", form: moment, at: front, key: "expires", needed: true},
		{name: "value", form: object, at: body, needed: true},
		{name: "updated_at", form: moment, needed: true},
	}, index: []string{"key", "value", "tags"}}

	episodeTable = &table{name: "episodic_memory", layer: "episodic", folder: "episodic", of: "episodic", columns: []column{
		{name: "id", at: front, key: "id", fixed: true, needed: true},
		{name: "type", at: front, key: "kind", needed: true, choices: episodeKinds},
		{name: "importance", form: number, at: front, key: "importance", missing: 5.0, low: 1, high: 10},
		{name: "tags", form: list, at: front, key: "tags"},
		{name: "timestamp", form: moment, at: front, key: "created", fixed: true, needed: true},
		{name: "outcome", form: object, at: outcome, key: "Outcome"},
		{name: "related_episodes", form: refs, at: front, key: "episodes"},
		{name: "related_entities", form: refs, at: front, key: "relates"},
		{name: "summary", at: title, needed: true, key: "summary"},
		{name: "details", at: body, needed: true},
		{name: "context", form: object, at: section, key: "Context"},
		{name: "access_count", form: count, missing: int64(0)},
		{name: "last_accessed", form: moment},
		{name: "created_at", form: moment, needed: true},
		{name: "valence", form: number, missing: 0.0},
		{name: "arousal", form: number, missing: 0.5},
		{name: "stability", form: number, missing: 1.0},
	}, index: []string{"summary", "details", "tags", "outcome"}}

	entityTable = &table{name: "semantic_entities", layer: "semantic", folder: "semantic", of: "semantic", columns: []column{
		{name: "id", at: front, key: "id", fixed: true, needed: true},
		{name: "type", at: named, key: "kind", needed: true, choices: entityKinds},
		{name: "name", at: named, key: "name", needed: true},
		{name: "confidence", form: number, at: front, key: "confidence", missing: 1.0, high: 1},
		{name: "source", at: front, key: "source", missing: "user", choices: sources},
		{name: "tags", form: list, at: front, key: "tags"},
		{name: "created_at", form: moment, at: front, key: "created", fixed: true, needed: true},
		{name: "description", at: body, needed: true},
		{name: "procedure", form: object, at: lists, key: "Procedure"},
		{name: "observations", form: list, at: section, key: "Observations"},
		{name: "content", form: object, at: section, key: "Content"},
		{name: "version", form: count, missing: int64(1)},
		{name: "updated_at", form: moment, needed: true},
	}, index: []string{"name", "description", "tags", "observations"}}

	patternTable = &table{name: "patterns", layer: "patterns", folder: "dikw/patterns", of: "pattern", columns: []column{
		{name: "id", at: front, key: "id", fixed: true, needed: true},
		{name: "status", at: front, key: "status", missing: "candidate", choices: patternStates},
		{name: "confidence", form: number, at: front, key: "confidence", missing: 0.5, high: 1},
		{name: "frequency", form: count, at: front, key: "frequency", missing: int64(1)},
		{name: "related_tags", form: list, at: front, key: "tags"},
		{name: "agent_roles", form: list, at: front, key: "roles"},
		{name: "source_agent_id", at: front, key: "agent"},
		{name: "supporting_episodes", form: refs, at: front, key: "episodes"},
		{name: "created_at", form: moment, at: front, key: "created", fixed: true, needed: true},
		{name: "pattern", at: body, needed: true},
		{name: "updated_at", form: moment, needed: true},
	}, index: []string{"pattern", "related_tags"}}

	insightTable = &table{name: "insights", layer: "insights", folder: "dikw/insights", of: "insight", columns: []column{
		{name: "id", at: front, key: "id", fixed: true, needed: true},
		{name: "status", at: front, key: "status", missing: "candidate", choices: insightStates},
		{name: "confidence", form: number, at: front, key: "confidence", missing: 0.5, high: 1},
		{name: "novelty", form: number, at: front, key: "novelty", missing: 0.5, high: 1},
		{name: "utility", form: number, at: front, key: "utility", missing: 0.5, high: 1},
		{name: "domains", form: list, at: front, key: "domains"},
		{name: "source_patterns", form: refs, at: front, key: "patterns"},
		{name: "source_agent_id", at: front, key: "agent"},
		{name: "validated_by", form: list, at: front, key: "validated"},
		{name: "created_at", form: moment, at: front, key: "created", fixed: true, needed: true},
		{name: "insight", at: body, needed: true},
		{name: "reasoning", at: section, key: "Reasoning"},
		{name: "knowledge_level", missing: "insight"},
		{name: "updated_at", form: moment, needed: true},
	}, index: []string{"insight", "reasoning", "domains"}}

	wisdomTable = &table{name: "wisdom", layer: "wisdom", folder: "dikw/wisdom", of: "wisdom", columns: []column{
		{name: "id", at: front, key: "id", fixed: true, needed: true},
		{name: "name", at: named, key: "name", needed: true},
		{name: "confidence_score", form: number, at: front, key: "confidence", missing: 0.5, high: 1},
		{name: "applicable_domains", form: list, at: front, key: "domains"},
		{name: "applicable_contexts", form: list, at: front, key: "contexts"},
		{name: "tags", form: list, at: front, key: "tags"},
		{name: "derived_from_insights", form: refs, at: front, key: "insights"},
		{name: "derived_from_patterns", form: refs, at: front, key: "patterns"},
		{name: "evidence_episodes", form: refs, at: front, key: "episodes"},
		{name: "related_wisdom", form: refs, at: front, key: "relates"},
		{name: "contradictory_wisdom", form: refs, at: front, key: "contradicts"},
		{name: "created_by", at: front, key: "agent"},
		{name: "contributing_agents", form: list, at: front, key: "agents"},
		{name: "created_at", form: moment, at: front, key: "created", fixed: true, needed: true},
		{name: "principle", at: title, key: "principle", needed: true},
		{name: "description", at: body, needed: true},
		{name: "limitations", form: list, at: section, key: "Limitations"},
		{name: "validation_count", form: count, missing: int64(0)},
		{name: "successful_applications", form: count, missing: int64(0)},
		{name: "failed_applications", form: count, missing: int64(0)},
		{name: "version", form: count, missing: int64(1)},
		{name: "updated_at", form: moment, needed: true},
	}, index: []string{"name", "principle", "description", "tags", "applicable_domains"}}

	sharedTable = &table{name: "shared_memory", layer: "shared", folder: "shared", columns: []column{
		{name: "id", at: front, key: "id", fixed: true, needed: true},
		{name: "namespace", at: named, key: "namespace", needed: true},
		{name: "key", at: named, key: "key", needed: true},
		{name: "visibility", form: list, at: front, key: "visibility", needed: true},
		{name: "owner", at: front, key: "owner", needed: true},
		{name: "tags", form: list, at: front, key: "tags"},
		{name: "created_at", form: moment, at: front, key: "created", fixed: true, needed: true},
		{name: "value", form: object, at: body, needed: true},
		{name: "updated_at", form: moment, needed: true},
	}}

	transcriptTable = &table{name: "episode_transcripts", layer: "transcript", columns: []column{
		{name: "id", needed: true},
		{name: "episode_id", needed: true},
		{name: "transcript", form: object, needed: true},
		{name: "message_count", form: count, needed: true},
		{name: "total_chars", form: count, needed: true},
		{name: "created_at", form: moment, needed: true},
	}}

	relationTable = &table{name: "semantic_relations", columns: []column{
		{name: "id", needed: true},
		{name: "from_entity", needed: true},
		{name: "to_entity", needed: true},
		{name: "relation_type", needed: true},
		{name: "strength", form: number, missing: 1.0},
		{name: "metadata", form: object},
		{name: "created_at", form: moment, needed: true},
	}}

	applicationTable = &table{name: "wisdom_applications", columns: []column{
		{name: "id", needed: true},
		{name: "wisdom_id", needed: true},
		{name: "episode_id"},
		{name: "context", needed: true},
		{name: "result", needed: true},
		{name: "feedback"},
		{name: "applied_by"},
		{name: "applied_at", form: moment, needed: true},
	}}
)

// tables are read in this order. The first two make a database one of cc-memory.
var tables = []*table{workingTable, episodeTable, transcriptTable, entityTable, relationTable, patternTable, insightTable, wisdomTable,
	applicationTable, sharedTable}
