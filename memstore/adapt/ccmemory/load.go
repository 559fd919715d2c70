package ccmemory

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"memcurator/memstore/adapt/dbfile"
)

// errSchema means that a database is one of another program.
var errSchema = errors.New("a database without the tables working_memory and episodic_memory")

// row is one record as it is stored. Its values are, by the forms of the columns: string, float64, int64, int64, []string, []string,
// json.RawMessage; nil for NULL.
type row struct {
	table  *table
	values []any // by the columns of the table
	// odd has the columns whose values are of no such form, as far as they can be shown as text.
	odd map[string]string
}

func (r row) id() string { id, _ := r.values[0].(string); return id }

// rowWith makes a row of values by the names of their columns.
func rowWith(t *table, values map[string]any) row {
	r := row{table: t, values: make([]any, len(t.columns))}
	for i, c := range t.columns {
		r.values[i] = values[c.name]
	}
	return r
}

// copied is a row whose values can be set without changing the first.
func (r row) copied() row {
	r.values = slices.Clone(r.values)
	return r
}

// value is nil also for a column that the table doesn't have.
func (r row) value(column string) any {
	if i := r.table.at(column); i >= 0 {
		return r.values[i]
	}
	return nil
}

// put sets nothing if the table doesn't have the column.
func (r row) put(column string, v any) {
	if i := r.table.at(column); i >= 0 {
		r.values[i] = v
	}
}

func (r row) text(column string) string    { s, _ := r.value(column).(string); return s }
func (r row) number(column string) float64 { n, _ := r.value(column).(float64); return n }
func (r row) count(column string) int      { n, _ := r.value(column).(int64); return int(n) }
func (r row) time(column string) Millis    { n, _ := r.value(column).(int64); return Millis(n) }
func (r row) list(column string) []string  { l, _ := r.value(column).([]string); return l }
func (r row) json(column string) json.RawMessage {
	j, _ := r.value(column).(json.RawMessage)
	return j
}

// loadMemory reads what a database holds.
func loadMemory(ctx context.Context, b dbfile.Bytes) (*Memory, error) {
	db, err := b.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }() // it is only memory
	return load(ctx, db)
}

// load reads what an open database holds.
func load(ctx context.Context, q dbfile.Querier) (*Memory, error) {
	m := &Memory{}
	for i, t := range tables {
		has, err := dbfile.Columns(ctx, q, t.name)
		if err != nil {
			return nil, dbfile.ErrDamaged
		}
		if len(has) == 0 {
			if i < 2 {
				return nil, errSchema
			}
			m.older(t, nil)
			continue
		}
		if err := m.read(ctx, q, t, has); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			m.Problems = append(m.Problems, fmt.Sprintf("The table %s is damaged: what can be read of it is shown.", t.name))
			m.readOnly = whyDamaged
		}
	}
	if m.readOnly != "" {
		return m, nil
	}
	if plain, err := dbfile.Plain(ctx, q); err == nil && !plain {
		m.Problems = append(m.Problems, "The database has a trigger, a view or a computed column, which cc-memory doesn't make.")
		m.readOnly = whyForeign
	}
	if err := m.newer(ctx, q); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.Problems = append(m.Problems, "The table "+versionTable+" is damaged.")
		m.readOnly = whyDamaged
	}
	return m, nil
}

func (m *Memory) read(ctx context.Context, q dbfile.Querier, t *table, has []string) error {
	if !slices.Contains(has, t.columns[0].name) {
		m.Problems = append(m.Problems, fmt.Sprintf("The table %s has no column %s: another version of the program wrote it.",
			t.name, t.columns[0].name))
		m.readOnly = whyOther
		return nil
	}
	m.older(t, has)
	l := &loading{table: t}
	var names []string
	for i, c := range t.columns {
		if slices.Contains(has, c.name) {
			l.there = append(l.there, i)
			names = append(names, c.name)
		} else {
			l.lacks = append(l.lacks, i)
		}
	}
	l.last = make([]cached, len(l.there))
	err := dbfile.Rows(ctx, q, t.name, names, l.row)
	// In the order of the keys, the rows that can be read of a damaged table, too.
	type keyed struct {
		key string
		at  int
	}
	order := make([]keyed, len(l.rows))
	for i, r := range l.rows {
		order[i] = keyed{r.id(), i}
	}
	slices.SortFunc(order, func(a, b keyed) int { return cmp.Or(strings.Compare(a.key, b.key), cmp.Compare(a.at, b.at)) })
	m.rows = slices.Grow(m.rows, len(order))
	for _, k := range order {
		m.rows = append(m.rows, l.rows[k.at])
	}
	return err
}

// loading are the rows of a table while it is read.
type loading struct {
	table *table
	there []int // the columns that the database has
	lacks []int // and those that it doesn't
	last  []cached
	rows  []row
	free  []any // room for values of rows to come: one piece of memory for many rows
}

// cached is what the value of a column that was read last is: rows often have that of the row before.
type cached struct {
	of dbfile.Value
	is any
}

const roomFor = 64 // rows

func (l *loading) row(values []dbfile.Value) error {
	n := len(l.table.columns)
	if len(l.free) < n {
		l.free = make([]any, n*roomFor)
	}
	r := row{table: l.table, values: l.free[:n:n]}
	l.free = l.free[n:]
	for i, at := range l.there {
		if last := &l.last[i]; last.is == nil || last.of != values[i] {
			c := &l.table.columns[at]
			v, ok := c.form.of(values[i])
			if !ok {
				r.putOdd(c.name, values[i])
				continue
			}
			*last = cached{values[i], v}
		}
		r.values[at] = l.last[i].is
	}
	for _, at := range l.lacks {
		r.values[at] = l.table.columns[at].missing
	}
	l.rows = append(l.rows, r)
	return nil
}

// putOdd keeps a value that is of another form than the program writes.
func (r *row) putOdd(column string, v dbfile.Value) {
	if r.odd == nil {
		r.odd = map[string]string{}
	}
	switch v.Kind {
	case dbfile.Int:
		r.odd[column] = fmt.Sprint(v.Int)
	case dbfile.Float:
		r.odd[column] = fmt.Sprint(v.Float)
	default:
		r.odd[column] = v.Text
	}
}

// of translates a value of the database. Rows share what it returns.
func (f form) of(v dbfile.Value) (any, bool) {
	if v.Kind == dbfile.Null {
		return nil, true
	}
	switch f {
	case number:
		switch v.Kind {
		case dbfile.Int:
			return float64(v.Int), true
		case dbfile.Float:
			return v.Float, !math.IsInf(v.Float, 0) && !math.IsNaN(v.Float)
		}
	case count, moment:
		switch v.Kind {
		case dbfile.Int:
			return v.Int, true
		case dbfile.Float:
			return int64(v.Float), v.Float == math.Trunc(v.Float) && math.Abs(v.Float) < 1<<53
		}
	default:
		s := v.Text
		if v.Kind != dbfile.Text || !utf8.ValidString(s) {
			return nil, false
		}
		switch f {
		case list, refs:
			if l, ok := plainList(s); ok {
				return l, true
			}
			var l []string
			if err := json.Unmarshal([]byte(s), &l); err != nil {
				return nil, false
			}
			return slices.Clip(l), l != nil && !hasNull(s, l)
		case object:
			return compact(s)
		}
		return s, true
	}
	return nil, false
}

// plainList reads a list of strings as the program writes nearly all: without escapes and blanks between them. ok is false for any other
// text, which may be a list, too.
func plainList(s string) (l []string, ok bool) {
	if s == "[]" {
		return []string{}, true
	}
	inner, isList := strings.CutPrefix(s, `["`)
	inner, ends := strings.CutSuffix(inner, `"]`)
	if !isList || !ends || strings.ContainsFunc(inner, func(r rune) bool { return r == '\\' || r < ' ' }) {
		return nil, false
	}
	l = strings.Split(inner, `","`)
	return l, !slices.ContainsFunc(l, func(s string) bool { return strings.Contains(s, `"`) })
}

// hasNull reports whether a list that was read as one of strings has null in it, which would be read as "".
func hasNull(s string, l []string) bool {
	if !strings.Contains(s, "null") || !slices.Contains(l, "") {
		return false
	}
	var any []any
	return json.Unmarshal([]byte(s), &any) != nil || slices.Contains(any, nil)
}

func compact(s string) (any, bool) {
	var b bytes.Buffer
	if json.Compact(&b, []byte(s)) != nil {
		return nil, false
	}
	return json.RawMessage(slices.Clip(b.Bytes())), true
}

// typed returns the memory with the rows of each table as their types. A list of all files needs none of them.
func (m *Memory) typed() *Memory {
	m.types.Do(func() {
		for _, r := range m.rows {
			m.add(r)
		}
	})
	return m
}

// add appends the typed row.
func (m *Memory) add(r row) {
	switch r.table {
	case workingTable:
		m.Working = append(m.Working, Working{ID: r.text("id"), Key: r.text("key"), Type: r.text("type"), Session: r.text("session_id"),
			Priority: r.text("priority"), Value: r.json("value"), Tags: r.list("tags"), Created: r.time("created_at"),
			Updated: r.time("updated_at"), Expires: r.time("expires_at")})
	case episodeTable:
		m.Episodes = append(m.Episodes, Episode{ID: r.text("id"), Type: r.text("type"), Summary: r.text("summary"), Details: r.text("details"),
			Timestamp: r.time("timestamp"), Created: r.time("created_at"), LastAccessed: r.time("last_accessed"), Context: r.json("context"),
			Outcome: r.json("outcome"), RelatedEpisodes: r.list("related_episodes"), RelatedEntities: r.list("related_entities"),
			Importance: r.number("importance"), AccessCount: r.count("access_count"), Tags: r.list("tags"), Valence: r.number("valence"),
			Arousal: r.number("arousal"), Stability: r.number("stability")})
	case transcriptTable:
		m.Transcripts = append(m.Transcripts, Transcript{ID: r.text("id"), EpisodeID: r.text("episode_id"), Messages: r.json("transcript"),
			MessageCount: r.count("message_count"), TotalChars: r.count("total_chars"), Created: r.time("created_at")})
	case entityTable:
		m.Entities = append(m.Entities, Entity{ID: r.text("id"), Name: r.text("name"), Type: r.text("type"),
			Description: r.text("description"), Source: r.text("source"), Content: r.json("content"), Procedure: r.json("procedure"),
			Observations: r.list("observations"), Tags: r.list("tags"), Confidence: r.number("confidence"), Version: r.count("version"),
			Created: r.time("created_at"), Updated: r.time("updated_at")})
	case relationTable:
		m.Relations = append(m.Relations, Relation{ID: r.text("id"), From: r.text("from_entity"), To: r.text("to_entity"),
			Type: r.text("relation_type"), Strength: r.number("strength"), Metadata: r.json("metadata"), Created: r.time("created_at")})
	case applicationTable:
		m.Applications = append(m.Applications, Application{ID: r.text("id"), WisdomID: r.text("wisdom_id"), EpisodeID: r.text("episode_id"),
			Context: r.text("context"), Result: r.text("result"), Feedback: r.text("feedback"), AppliedBy: r.text("applied_by"),
			Applied: r.time("applied_at")})
	default:
		m.addKnowledge(r)
	}
}

func (m *Memory) addKnowledge(r row) {
	switch r.table {
	case patternTable:
		m.Patterns = append(m.Patterns, Pattern{ID: r.text("id"), Text: r.text("pattern"), Status: r.text("status"),
			SourceAgent: r.text("source_agent_id"), Frequency: r.count("frequency"), Confidence: r.number("confidence"),
			SupportingEpisodes: r.list("supporting_episodes"), RelatedTags: r.list("related_tags"), AgentRoles: r.list("agent_roles"),
			Created: r.time("created_at"), Updated: r.time("updated_at")})
	case insightTable:
		m.Insights = append(m.Insights, Insight{ID: r.text("id"), Text: r.text("insight"), Reasoning: r.text("reasoning"),
			Status: r.text("status"), SourceAgent: r.text("source_agent_id"), Level: r.text("knowledge_level"),
			Confidence: r.number("confidence"), Novelty: r.number("novelty"), Utility: r.number("utility"),
			SourcePatterns: r.list("source_patterns"), Domains: r.list("domains"), ValidatedBy: r.list("validated_by"),
			Created: r.time("created_at"), Updated: r.time("updated_at")})
	case wisdomTable:
		m.Wisdom = append(m.Wisdom, Wisdom{ID: r.text("id"), Name: r.text("name"), Principle: r.text("principle"),
			Description: r.text("description"), CreatedBy: r.text("created_by"), DerivedFromInsights: r.list("derived_from_insights"),
			DerivedFromPatterns: r.list("derived_from_patterns"), EvidenceEpisodes: r.list("evidence_episodes"),
			Domains: r.list("applicable_domains"), Contexts: r.list("applicable_contexts"), Limitations: r.list("limitations"),
			Tags: r.list("tags"), ContributingAgents: r.list("contributing_agents"), RelatedWisdom: r.list("related_wisdom"),
			ContradictoryWisdom: r.list("contradictory_wisdom"), ValidationCount: r.count("validation_count"),
			SuccessfulApplications: r.count("successful_applications"), FailedApplications: r.count("failed_applications"),
			Confidence: r.number("confidence_score"), Version: r.count("version"), Created: r.time("created_at"), Updated: r.time("updated_at")})
	case sharedTable:
		m.Shared = append(m.Shared, Shared{ID: r.text("id"), Key: r.text("key"), Namespace: r.text("namespace"), Owner: r.text("owner"),
			Value: r.json("value"), Visibility: r.list("visibility"), Tags: r.list("tags"),
			Created: r.time("created_at"), Updated: r.time("updated_at")})
	}
}
