// Package tables opens the databases in which other programs keep a record a row: cc-memory, claude-mem and engram. Each record is a file,
// with a line for each column and its text below. What is shown of a table is data ([table]); columns that a version of the program lacks
// are left out.
//
// cc-memory (0xchoux1/cc-memory, read at commit 30d7ed2) has items of working memory that expire, episodes with their transcripts, a graph
// of entities, the knowledge made from them, and what agents share. It holds its database in memory (sql.js): it reads the file once, when
// it starts, and writes the whole file over, about a second after each change, neither locked nor atomic. So the file is read until two
// reads agree and is queried in memory, and it is changed only while no server runs.
package tables

// program is a program that keeps its memory in a database.
type program struct {
	name   string
	kind   string // as [adapt.Adapter] has it
	file   string // the name of its database; "" for any
	tables []*table
	needed int // the first so many tables make a database one of the program
	// lookingOnly is set if nothing can be changed. The IDs of records are those of a table each then.
	lookingOnly bool
}

// table is one table whose rows become files. A text has every column of its row, those that aren't named here too: so the row can be made
// again of it, and a newer version's columns stay.
type table struct {
	name   string
	layer  string // what the program calls it
	folder string
	// path are the columns that give the folders and the name of a file, and [month]. The text has them only where a name can't.
	path     []string
	tailed   bool // several rows may have the same name: it ends with a part of the ID
	body     string
	json     bool     // the body is JSON
	sections []string // further columns of text below the body, each with its name as a heading; only if nothing can be changed
	kinds    []string // that the program allows in the column type; nil for all
}

// month stands in a path for that of the time when a record was made.
const month = "month"

var (
	workingTable = &table{name: "working_memory", layer: "working", folder: "working", path: []string{"type", "key"}, body: "value", json: true,
		kinds: []string{"task_state", "decision", "context", "scratch"}}
	episodeTable = &table{name: "episodic_memory", layer: "episodic", folder: "episodic", path: []string{month, "summary"}, tailed: true,
		body: "details", kinds: []string{"incident", "interaction", "milestone", "error", "success"}}
	transcriptTable = &table{name: "episode_transcripts", layer: "transcript", folder: "transcripts", path: []string{"id"}, body: "transcript",
		json: true}
	entityTable = &table{name: "semantic_entities", layer: "semantic", folder: "semantic", path: []string{"type", "name"}, body: "description",
		kinds: []string{"procedure", "fact", "config", "preference", "pattern", "skill", "goal"}}
	relationTable = &table{name: "semantic_relations", layer: "relation", folder: "relations", path: []string{"id"}, body: "relation_type"}
	sharedTable   = &table{name: "shared_memory", layer: "shared", folder: "shared", path: []string{"namespace", "key"}, body: "value", json: true}
)

// ccMemory reads its tables in this order. Nothing is shown of other tables, and nothing changed.
var ccMemory = &program{name: "cc-memory", kind: "cc-memory", needed: 2, tables: []*table{workingTable, episodeTable, transcriptTable,
	entityTable, relationTable,
	{name: "patterns", layer: "patterns", folder: "dikw/patterns", path: []string{"id"}, body: "pattern"},
	{name: "insights", layer: "insights", folder: "dikw/insights", path: []string{"id"}, body: "insight"},
	{name: "wisdom", layer: "wisdom", folder: "dikw/wisdom", path: []string{"name"}, body: "description"},
	{name: "wisdom_applications", layer: "application", folder: "dikw/applications", path: []string{"id"}, body: "context"},
	sharedTable,
}}

// form is what a column holds; most hold text.
type form uint8

const (
	text   form = iota
	number      // perhaps with a fraction
	moment      // milliseconds since 1970
	list        // a JSON list of texts
	object      // any JSON
)

// forms are those of columns, whichever table they are in.
var forms = func() map[string]form {
	all := map[string]form{}
	for f, columns := range map[form][]string{
		moment: {"created_at", "updated_at", "expires_at", "timestamp", "last_accessed", "applied_at"},
		number: {"importance", "access_count", "valence", "arousal", "stability", "confidence", "confidence_score", "version", "strength", "novelty",
			"utility", "frequency", "message_count", "total_chars"},
		list: {"tags", "related_episodes", "related_entities", "observations", "supporting_episodes", "related_tags", "source_patterns", "domains",
			"derived_from_insights", "derived_from_patterns", "evidence_episodes", "applicable_domains", "applicable_contexts", "limitations",
			"related_wisdom", "contradictory_wisdom", "visibility", "facts", "concepts"},
		object: {"context", "outcome", "content", "procedure", "metadata", "value", "transcript"},
	} {
		for _, c := range columns {
			all[c] = f
		}
	}
	return all
}()

// ranges are those of numbers that the program allows.
var ranges = map[string][2]float64{"importance": {1, 10}, "confidence": {0, 1}, "confidence_score": {0, 1}}

var priorities = []string{"high", "medium", "low"}

// counted columns are in no text: those that change whenever the program recalls a record, since each recall would be an edit, and those
// that follow from others.
var counted = []string{"access_count", "last_accessed", "message_count", "total_chars", "relevance_count", "last_seen_at", "duplicate_count",
	"created_at_epoch", "started_at_epoch", "completed_at_epoch"}

// folders have the records of a table of cc-memory each.
var folders = func() (list []string) {
	for _, t := range ccMemory.tables {
		list = append(list, t.folder)
	}
	return list
}()
