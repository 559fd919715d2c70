package ccmemory

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"memcurator/memstore/adapt/ccmemory/terms"
	"memcurator/memstore/adapt/dbfile"
)

// The weights of the program's smart_recall, where its caller names none.
const (
	recallLimit      = 10   // records of each layer
	candidateFactor  = 2    // episodes and entities: how many times the limit are looked at
	workingMatch     = 0.5  // working memory: how many words match
	matchWeight      = 0.4  // the other layers: the same
	recencyWeight    = 0.3  // working memory, episodes: how recent it is
	importanceWeight = 0.4  // episodes
	accessWeight     = 0.1  // episodes
	arousalBonus     = 0.3  // episodes: what the highest arousal adds
	contextBonus     = 0.2  // episodes: what the context of today adds
	confidenceWeight = 0.3  // entities
	freshnessWeight  = 0.35 // entities
	maturityWeight   = 0.1  // entities
	weekly           = 0.95 // what is left of an episode's recency after a week
	monthly          = 0.98 // what is left of an entity's freshness after 30 days
	spreadPerHop     = 0.5  // what is left of a score over a relation of full strength
	spreadHops       = 2
	spreadLeast      = 0.05
	indexLimit       = 1000 // records of a layer that the search index gives
	rebuildLimit     = 10000
)

// Situation is the context of whoever recalls: episodes of the same context score higher. "" is not compared.
type Situation struct{ Project, Branch, Session string }

// Query is what is asked of the memory.
type Query struct {
	Words     string
	Limit     int // of each layer; 0: that of the program
	Situation Situation
}

// Recall is what the program's smart_recall would give.
type Recall struct {
	Words   []string // that are looked for
	Ignored []string // too short to be looked for: of one or two characters
	// Working, Episodes and Entities are in the order of their scores.
	Working, Episodes, Entities []Recalled
}

// Recalled is a record with its score, term by term.
type Recalled struct {
	ID    string
	Score float64
	Terms []Term   // their sum, times the factors, is the score
	Times []Factor // that differ from 1
	// Via is the entity over a relation to which this one got its score, instead of by its own words; "" by its own.
	Via string
	// File and ViaFile are the files of both in a store, where they are known.
	File, ViaFile string
}

// Term is one term of a score.
type Term struct {
	Name          string // "match", "recency", "importance", "accesses", "priority", "confidence", "freshness", "maturity"
	Value, Weight float64
}

// Factor multiplies a score.
type Factor struct {
	Name  string // "arousal", "context"; of a score over a relation "strength", "distance"
	Value float64
}

// sum is the score that terms and factors give.
func (r Recalled) sum() float64 {
	s := 0.0
	for _, t := range r.Terms {
		s += t.Value * t.Weight
	}
	for _, f := range r.Times {
		s *= f.Value
	}
	return s
}

// Recall works out what the program would recall from a database at a time, and why. It moves no access count.
func (q Query) Recall(ctx context.Context, b dbfile.Bytes, now time.Time) (Recall, error) {
	db, err := b.Open(ctx)
	if err != nil {
		return Recall{}, err
	}
	defer func() { _ = db.Close() }() // it is only memory
	m, err := load(ctx, db)
	if err != nil {
		return Recall{}, err
	}
	r := recalling{Query: q, db: db, memory: m.typed(), now: now.UnixMilli()}
	if r.Limit == 0 {
		r.Limit = recallLimit
	}
	for _, word := range strings.FieldsFunc(terms.Lower(q.Words), terms.IsSpace) {
		if len(utf16.Encode([]rune(word))) > 2 {
			r.out.Words = append(r.out.Words, word)
		} else {
			r.out.Ignored = append(r.out.Ignored, word)
		}
	}
	if err := r.restore(ctx); err != nil {
		return Recall{}, err
	}
	r.working()
	if err := r.episodes(ctx); err != nil {
		return Recall{}, err
	}
	if err := r.entities(ctx); err != nil {
		return Recall{}, err
	}
	return r.out, nil
}

// Recall is [Query.Recall] from the memory as it is now, with the files of what is found.
func (s *Source) Recall(ctx context.Context, q Query, now time.Time) (Recall, error) {
	b, err := dbfile.Read(ctx, s.path)
	if err != nil {
		return Recall{}, unreadable(err)
	}
	st, err := s.read(ctx)
	if err != nil {
		return Recall{}, err
	}
	found, err := q.Recall(ctx, b, now)
	if err != nil {
		return Recall{}, unreadable(err)
	}
	entries := st.entries()
	for _, layer := range []struct {
		table *table
		list  []Recalled
	}{{workingTable, found.Working}, {episodeTable, found.Episodes}, {entityTable, found.Entities}} {
		for i := range layer.list {
			r := &layer.list[i]
			if e := entries[recordKey{layer.table, r.ID}]; e != nil {
				r.File = e.Name
			}
			if e := entries[recordKey{layer.table, r.Via}]; e != nil {
				r.ViaFile = e.Name
			}
		}
	}
	return found, nil
}

// recalling is a recall on its way; its database is a copy.
type recalling struct {
	Query
	db     *sql.DB
	memory *Memory
	now    int64
	out    Recall
}

// restore fills an empty search index, as the program does when it starts.
func (r *recalling) restore(ctx context.Context) error {
	_, err := r.db.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS search_index (term TEXT, doc_type TEXT, doc_id TEXT, frequency INTEGER,
		created_at INTEGER, PRIMARY KEY (term, doc_type, doc_id))`)
	if err != nil {
		return dbfile.ErrDamaged
	}
	var n int
	if err := r.db.QueryRowContext(ctx, "SELECT count(*) FROM search_index").Scan(&n); err != nil || n > 0 {
		return damaged(ctx, err)
	}
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return damaged(ctx, err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	add, err := tx.PrepareContext(ctx, "INSERT OR IGNORE INTO search_index VALUES (?, ?, ?, 1, 0)")
	if err != nil {
		return damaged(ctx, err)
	}
	for _, e := range newest(r.memory.Episodes, func(e Episode) Millis { return e.Timestamp }, rebuildLimit) {
		var o Outcome
		_ = json.Unmarshal(e.Outcome, &o) // without one, there are no learnings
		err = errors.Join(err, index(ctx, add, "episodic", e.ID, e.Summary, e.Details, strings.Join(e.Tags, " "), strings.Join(o.Learnings, " ")))
	}
	for _, e := range newest(r.memory.Entities, func(e Entity) Millis { return e.Updated }, rebuildLimit) {
		err = errors.Join(err, index(ctx, add, "semantic", e.ID, e.Name, e.Description, strings.Join(e.Tags, " "),
			strings.Join(e.Observations, " ")))
	}
	if err == nil {
		err = tx.Commit()
	}
	return damaged(ctx, err)
}

func index(ctx context.Context, add *sql.Stmt, kind, id string, fields ...string) error {
	for _, term := range terms.Of(strings.Join(fields, " ")) {
		if _, err := add.ExecContext(ctx, term, kind, id); err != nil {
			return err
		}
	}
	return nil
}

// damaged words an error of the copy of a database.
func damaged(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return dbfile.ErrDamaged
}

// newest are at most n of the records, the newest first.
func newest[T any](all []T, when func(T) Millis, n int) []T {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b T) int { return cmp.Compare(when(b), when(a)) })
	return all[:min(n, len(all))]
}

// match is the share of the words that appear in one of the texts.
func (r *recalling) match(texts ...string) float64 {
	if len(r.out.Words) == 0 {
		return 0
	}
	all, n := terms.Lower(strings.Join(texts, " ")), 0
	for _, word := range r.out.Words {
		if strings.Contains(all, word) {
			n++
		}
	}
	return float64(n) / float64(len(r.out.Words))
}

// best are the records that score at all, the best first, at most as many as wanted.
func (r *recalling) best(all []Recalled) []Recalled {
	all = slices.DeleteFunc(all, func(r Recalled) bool { return !(r.Score > 0) }) // what is not a number doesn't either
	slices.SortStableFunc(all, func(a, b Recalled) int { return cmp.Compare(b.Score, a.Score) })
	return all[:min(len(all), r.Limit)]
}

var priorityScores = map[string]float64{"high": 1, "medium": 0.6, "low": 0.3}

func (r *recalling) working() {
	var all []Recalled
	for _, w := range newest(r.memory.Working, func(w Working) Millis { return w.Updated }, len(r.memory.Working)) {
		if int64(w.Expires) <= r.now {
			continue
		}
		value := string(w.Value)
		if value == "" {
			value = "{}" // what the program takes for a value that it can't read
		}
		match := r.match(append([]string{w.Key, value}, w.Tags...)...)
		priority, known := priorityScores[w.Priority]
		if match == 0 || !known {
			continue
		}
		left := math.Max(0, 1-float64(r.now-int64(w.Updated))/float64(w.Expires-w.Created))
		c := Recalled{ID: w.ID, Terms: []Term{{"match", match, workingMatch}, {"recency", left, recencyWeight},
			{"priority", priority, 1 - recencyWeight}}}
		c.Score = c.sum()
		all = append(all, c)
	}
	r.out.Working = r.best(all)
}

// candidates are the IDs of records that the search index finds, the newest first.
func (r *recalling) candidates(ctx context.Context, kind, table, when string) ([]string, error) {
	asked := terms.Of(r.Query.Words)
	if len(asked) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	rows, err := r.db.QueryContext(ctx, `
		WITH found AS (
			SELECT doc_id AS id, sum(frequency) * (1 + count(*) / ?1) AS score FROM search_index
			WHERE doc_type = ?2 AND term IN (SELECT value FROM json_each(?3)) GROUP BY doc_id ORDER BY score DESC LIMIT ?4)
		SELECT t.id FROM `+table+` t WHERE t.id IN (SELECT id FROM found) ORDER BY t.`+when+` DESC LIMIT ?5`,
		float64(len(asked)), kind, string(list), indexLimit, candidateFactor*r.Limit)
	if err != nil {
		return nil, damaged(ctx, err)
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, damaged(ctx, err)
		}
		ids = append(ids, id)
	}
	return ids, damaged(ctx, rows.Err())
}

func (r *recalling) episodes(ctx context.Context) error {
	ids, err := r.candidates(ctx, "episodic", "episodic_memory", "timestamp")
	if err != nil {
		return err
	}
	by := byID(r.memory.Episodes, func(e Episode) string { return e.ID })
	var all []Recalled
	for _, id := range ids {
		e := by[id]
		match := r.match(append([]string{e.Summary, e.Details}, e.Tags...)...)
		if match == 0 {
			continue
		}
		weeks := float64(r.now-int64(e.Timestamp)) / float64(7*day)
		c := Recalled{ID: id, Terms: []Term{{"match", match, matchWeight}, {"recency", math.Pow(weekly, weeks), recencyWeight},
			{"importance", e.Importance / 10, importanceWeight}, {"accesses", math.Min(1, float64(e.AccessCount)*0.1), accessWeight}}}
		c.Times = factors(Factor{"arousal", 1 + e.Arousal*arousalBonus}, Factor{"context", r.Situation.factor(e.Context)})
		c.Score = c.sum()
		all = append(all, c)
	}
	r.out.Episodes = r.best(all)
	return nil
}

func factors(all ...Factor) []Factor {
	return slices.DeleteFunc(all, func(f Factor) bool { return f.Value == 1 })
}

// factor is what the context of an episode multiplies its score with.
func (s Situation) factor(context json.RawMessage) float64 {
	var at struct {
		Project string `json:"projectPath"`
		Branch  string `json:"branch"`
		Session string `json:"sessionId"`
	}
	if json.Unmarshal(context, &at) != nil {
		return 1
	}
	if s.Session != "" && s.Session == at.Session {
		return 1 + contextBonus
	}
	compared, equal := 0.0, 0.0
	for _, field := range [][2]string{{s.Project, at.Project}, {s.Branch, at.Branch}} {
		if field[0] != "" && field[1] != "" {
			compared++
			if field[0] == field[1] {
				equal++
			}
		}
	}
	if equal == 0 {
		return 1
	}
	return 1 + contextBonus*equal/compared
}

func byID[T any](all []T, id func(T) string) map[string]T {
	by := make(map[string]T, len(all))
	for _, v := range all {
		by[id(v)] = v
	}
	return by
}

func (r *recalling) entities(ctx context.Context) error {
	ids, err := r.candidates(ctx, "semantic", "semantic_entities", "updated_at")
	if err != nil {
		return err
	}
	by := byID(r.memory.Entities, func(e Entity) string { return e.ID })
	var all []*Recalled
	for _, id := range ids {
		e := by[id]
		match := r.match(slices.Concat([]string{e.Name, e.Description}, e.Tags, e.Observations)...)
		if match == 0 {
			continue
		}
		months := float64(r.now-int64(e.Updated)) / float64(30*day)
		c := &Recalled{ID: id, Terms: []Term{{"match", match, matchWeight}, {"confidence", e.Confidence, confidenceWeight},
			{"freshness", math.Pow(monthly, months), freshnessWeight}, {"maturity", math.Min(1, float64(e.Version)*0.2), maturityWeight}}}
		if c.Score = c.sum(); c.Score > 0 {
			all = append(all, c)
		}
	}
	if all, err = r.spread(ctx, all, by); err != nil {
		return err
	}
	flat := make([]Recalled, len(all))
	for i, c := range all {
		flat[i] = *c
	}
	r.out.Entities = r.best(flat)
	return nil
}

// spread lets scores pass over relations, nearest first, and returns the records with those that are reached.
func (r *recalling) spread(ctx context.Context, all []*Recalled, by map[string]Entity) ([]*Recalled, error) {
	near, err := r.relations(ctx)
	if err != nil {
		return nil, err
	}
	reached := byID(all, func(c *Recalled) string { return c.ID })
	type step struct {
		id    string
		score float64
		hop   int
	}
	var steps []step
	for _, c := range all {
		steps = append(steps, step{c.ID, c.Score, 0})
	}
	for ; len(steps) > 0; steps = steps[1:] {
		at := steps[0]
		if at.hop >= spreadHops {
			continue
		}
		distance := math.Pow(spreadPerHop, float64(at.hop+1))
		for _, rel := range near(at.id) {
			other := rel.To
			if other == at.id {
				other = rel.From
			}
			if _, exists := by[other]; !exists {
				continue
			}
			score := at.score * rel.Strength * distance
			if score < spreadLeast {
				continue
			}
			c := reached[other]
			if c != nil && score <= c.Score {
				continue
			}
			if c == nil {
				c = &Recalled{ID: other}
				reached[other] = c
				all = append(all, c)
				steps = append(steps, step{other, score, at.hop + 1})
			}
			c.Score, c.Via, c.Terms = score, at.id, []Term{{"via", at.score, 1}}
			c.Times = factors(Factor{"strength", rel.Strength}, Factor{"distance", distance})
		}
	}
	return all, nil
}

// relations returns what gives the relations of an entity in the order in which the program sees them: those from it, then those
// to it, each in the order of their rows.
func (r *recalling) relations(ctx context.Context) (func(id string) []Relation, error) {
	rows, err := r.db.QueryContext(ctx, "SELECT id FROM semantic_relations ORDER BY rowid")
	if err != nil {
		return nil, damaged(ctx, err)
	}
	defer rows.Close()
	by := byID(r.memory.Relations, func(rel Relation) string { return rel.ID })
	from, to := map[string][]Relation{}, map[string][]Relation{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, damaged(ctx, err)
		}
		rel := by[id]
		from[rel.From] = append(from[rel.From], rel)
		if rel.To != rel.From {
			to[rel.To] = append(to[rel.To], rel)
		}
	}
	return func(id string) []Relation { return slices.Concat(from[id], to[id]) }, damaged(ctx, rows.Err())
}
