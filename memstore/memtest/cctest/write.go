package cctest

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver

	"memcurator/memstore/adapt/ccmemory/terms"
)

// Write makes the database at path, where nothing may be, with the mode that the program gives it.
func (m Memory) Write(t testing.TB, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(memory)&_pragma=synchronous(off)") // no URI: tests have # in their paths
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	w := writer{t: t, tx: tx, statements: map[string]*sql.Stmt{}}
	w.schema(m)
	w.records(m)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

type writer struct {
	t          testing.TB
	tx         *sql.Tx
	statements map[string]*sql.Stmt
}

func (w writer) schema(m Memory) {
	w.t.Helper()
	all := tables
	if m.Extra[events.name] != nil {
		all = append(slices.Clone(all), events)
	}
	for _, table := range all {
		for _, s := range table.statements() {
			if _, err := w.tx.Exec(s); err != nil {
				w.t.Fatalf("%s: %v", s, err)
			}
		}
	}
	for _, v := range migrations {
		w.insert("schema_version", "version name applied_at", v[0], v[1], int64(1770000000000))
	}
}

// insert puts a row into a table; columns is the names of the columns, "" for all.
func (w writer) insert(table, columns string, values ...any) {
	w.t.Helper()
	key := table + " " + columns
	st := w.statements[key]
	if st == nil {
		into := table
		if columns != "" {
			into += " (" + strings.Join(strings.Fields(columns), ", ") + ")"
		}
		var err error
		st, err = w.tx.Prepare("INSERT INTO " + into + " VALUES (?" + strings.Repeat(", ?", len(values)-1) + ")")
		if err != nil {
			w.t.Fatalf("%s: %v", into, err)
		}
		w.statements[key] = st
	}
	if _, err := st.Exec(values...); err != nil {
		w.t.Fatalf("%s: %v", table, err)
	}
}

func (w writer) records(m Memory) {
	w.t.Helper()
	for _, i := range m.Working {
		w.insert("working_memory", "id key type value session_id priority tags created_at updated_at expires_at",
			i.ID, i.Key, i.Type, string(i.Value), i.Metadata.Session, i.Metadata.Priority, JSON(i.Tags),
			i.Metadata.Created, i.Metadata.Updated, i.Metadata.Expires)
		value := string(i.Value)
		if text := new(string); json.Unmarshal(i.Value, &text) == nil && text != nil {
			value = *text
		}
		w.index("working", i.ID, i.Metadata.Updated, i.Key, value, strings.Join(i.Tags, " "))
	}
	for _, e := range m.Episodes {
		var outcome any
		var learned []string
		if e.Outcome != nil {
			outcome, learned = JSON(e.Outcome), e.Outcome.Learnings
		}
		w.insert("episodic_memory", `id timestamp type summary details context outcome related_episodes related_entities importance
			access_count last_accessed tags created_at valence arousal`,
			e.ID, e.Timestamp, e.Type, e.Summary, e.Details, JSON(e.Context), outcome, JSON(e.RelatedEpisodes), JSON(e.RelatedEntities),
			e.Importance, e.AccessCount, e.LastAccessed, JSON(e.Tags), e.Timestamp, e.Valence, e.Arousal)
		w.index("episodic", e.ID, e.Timestamp, e.Summary, e.Details, strings.Join(e.Tags, " "), strings.Join(learned, " "))
	}
	for _, id := range slices.Sorted(maps.Keys(m.Transcripts)) {
		content, at := JSON(m.Transcripts[id]), m.transcribed(id)
		w.insert("episode_transcripts", "", "tr_"+id, id, content, len(m.Transcripts[id]), units(content), at)
	}
	for _, e := range m.Entities {
		var content, procedure any
		if len(e.Content) > 0 {
			content = string(e.Content)
		}
		if e.Procedure != nil {
			procedure = JSON(e.Procedure)
		}
		w.insert("semantic_entities", "id name type description content procedure observations confidence source version tags "+
			"created_at updated_at",
			e.ID, e.Name, e.Type, e.Description, content, procedure, JSON(e.Observations), e.Confidence, e.Source, e.Version, JSON(e.Tags),
			e.Created, e.Updated)
		w.index("semantic", e.ID, e.Created, e.Name, e.Description, strings.Join(e.Tags, " "), strings.Join(e.Observations, " "))
	}
	for _, r := range m.Relations {
		var metadata any
		if len(r.Metadata) > 0 {
			metadata = string(r.Metadata)
		}
		w.insert("semantic_relations", "", r.ID, r.From, r.To, r.Type, r.Strength, metadata, r.Created)
	}
	w.knowledge(m)
	for _, table := range slices.Sorted(maps.Keys(m.Extra)) {
		for _, row := range m.Extra[table] {
			w.insert(table, "", row...)
		}
	}
}

// knowledge writes what is derived from episodes, and what agents share.
func (w writer) knowledge(m Memory) {
	w.t.Helper()
	for _, p := range m.Patterns {
		w.insert("patterns", "id pattern confidence supporting_episodes related_tags agent_roles created_at updated_at",
			p.ID, p.Pattern, p.Confidence, JSON(p.Episodes), JSON(p.Tags), "[]", p.Created, p.Created)
		w.index("pattern", p.ID, p.Created, p.Pattern, strings.Join(p.Tags, " "))
	}
	for _, i := range m.Insights {
		w.insert("insights", "id insight reasoning source_patterns confidence domains validated_by created_at updated_at",
			i.ID, i.Insight, i.Reasoning, JSON(i.Patterns), i.Confidence, JSON(i.Domains), "[]", i.Created, i.Created)
		w.index("insight", i.ID, i.Created, i.Insight, i.Reasoning, strings.Join(i.Domains, " "))
	}
	for _, v := range m.Wisdom {
		w.insert("wisdom", `id name principle description derived_from_insights derived_from_patterns evidence_episodes applicable_domains
			applicable_contexts limitations contributing_agents tags related_wisdom contradictory_wisdom created_at updated_at`,
			v.ID, v.Name, v.Principle, v.Description, JSON(v.Insights), "[]", "[]", JSON(v.Domains), "[]", JSON(v.Limitations), "[]",
			JSON(v.Tags), "[]", "[]", v.Created, v.Created)
		w.index("wisdom", v.ID, v.Created, v.Name, v.Principle, v.Description, strings.Join(v.Tags, " "), strings.Join(v.Domains, " "))
	}
	for _, s := range m.Shared {
		w.insert("shared_memory", "", s.ID, s.Key, s.Namespace, string(s.Value), JSON(s.Visibility), s.Owner, JSON(s.Clock), JSON(s.Tags),
			s.Created, s.Updated, s.Sequence)
	}
}

func (w writer) index(kind, id string, at int64, fields ...string) {
	w.t.Helper()
	for _, term := range terms.Of(strings.Join(fields, " ")) {
		w.insert("search_index", "", term, kind, id, 1, at)
	}
}

// transcribed is when the transcript of an episode was written: with it, or before all else if there is no such episode.
func (m Memory) transcribed(id string) int64 {
	for _, e := range m.Episodes {
		if e.ID == id {
			return e.Timestamp
		}
	}
	return 1770000000000
}

// JSON is v as the program writes it into a column.
func JSON(v any) string {
	if list, ok := v.([]string); ok && list == nil {
		return "[]"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // the types above can be encoded
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// units is the length that JavaScript gives a string.
func units(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}
