package ccmemory

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The weights of the program's smart_recall, where its caller names none.
const (
	recallLimit      = 10   // records of each layer
	candidates       = 20   // episodes and entities that are looked at: the newest of those that the search index finds
	workingMatch     = 0.5  // working memory: how many words match
	matchWeight      = 0.4  // the other layers: the same
	recencyWeight    = 0.3  // working memory, episodes: how recent it is
	importanceWeight = 0.4  // episodes
	accessWeight     = 0.1  // episodes
	arousalBonus     = 0.3  // episodes: what the highest arousal adds
	confidenceWeight = 0.3  // entities
	freshnessWeight  = 0.35 // entities
	maturityWeight   = 0.1  // entities
	weekly           = 0.95 // what is left of an episode's recency after a week
	monthly          = 0.98 // what is left of an entity's freshness after 30 days
	spreadPerHop     = 0.5  // what is left of a score over a relation of full strength
	spreadHops       = 2
	spreadLeast      = 0.05
)

// Recall is what the program's smart_recall would give.
type Recall struct {
	Ignored []string // words that are too short to be looked for: of one or two characters
	// Working, Episodes and Entities are in the order of their scores.
	Working, Episodes, Entities []Recalled
}

// Recalled is a record with its score, term by term.
type Recalled struct {
	File  string
	Score float64
	Terms []Term   // their sum, times the factors, is the score
	Times []Factor // that differ from 1
	// Via is the file of the entity over a relation to which this one got its score, instead of by its own words; "" by its own.
	Via string

	row *row
}

// Term is one term of a score. The keys are a contract of commands, as those of [Factor].
type Term struct {
	Name   string  `json:"name"` // "match", "recency", "importance", "accesses", "priority", "confidence", "freshness", "maturity"
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
}

// Factor multiplies a score.
type Factor struct {
	Name  string  `json:"name"` // "arousal"; of a score over a relation "strength", "distance"
	Value float64 `json:"value"`
}

// recalling is a recall on its way.
type recalling struct {
	*state
	words []string // that are looked for
	all   []string // those that are too short for a match, too
	now   int64
}

// RecallFrom works out what the program would recall from the database at a path at a time, and why. It moves no access count.
func RecallFrom(ctx context.Context, path, words string, now time.Time) (out Recall, err error) {
	st, err := sourceAt(path).read(ctx)
	if err != nil {
		return out, err
	}
	r := recalling{state: st, all: strings.Fields(strings.ToLower(words)), now: now.UnixMilli()}
	for _, word := range r.all {
		if utf8.RuneCountInString(word) > 2 {
			r.words = append(r.words, word)
		} else {
			out.Ignored = append(out.Ignored, word)
		}
	}
	out.Working, out.Episodes, out.Entities = best(r.working(now)), best(r.episodes()), best(r.spread(r.entities()))
	return out, nil
}

// scored is a record with a score by its own words.
func (r *recalling) scored(of *row, sum []Term, times ...Factor) *Recalled {
	c := &Recalled{File: r.names[of], row: of, Terms: sum}
	for _, t := range sum {
		c.Score += t.Value * t.Weight
	}
	for _, f := range times {
		if f.Value != 1 {
			c.Times = append(c.Times, f)
			c.Score *= f.Value
		}
	}
	return c
}

// match is the share of the words that appear in one of the texts.
func (r *recalling) match(texts ...string) float64 {
	if len(r.words) == 0 {
		return 0
	}
	all, n := strings.ToLower(strings.Join(texts, " ")), 0
	for _, word := range r.words {
		if strings.Contains(all, word) {
			n++
		}
	}
	return float64(n) / float64(len(r.words))
}

// best are the records that score at all, the best first.
func best(all []*Recalled) (list []Recalled) {
	for _, c := range all {
		if c.Score > 0 { // what is not a number isn't, either
			list = append(list, *c)
		}
	}
	slices.SortStableFunc(list, func(a, b Recalled) int { return cmp.Compare(b.Score, a.Score) })
	return list[:min(len(list), recallLimit)]
}

var priorityScores = map[string]float64{"high": 1, "medium": 0.6, "low": 0.3}

func (r *recalling) working(now time.Time) (all []*Recalled) {
	for _, w := range r.live(now) {
		match := r.match(append([]string{w.values["key"], w.values["value"]}, w.list("tags")...)...)
		if match == 0 {
			continue
		}
		left := math.Max(0, 1-float64(r.now-w.millis("updated_at"))/float64(w.millis("expires_at")-w.millis("created_at")))
		all = append(all, r.scored(w, []Term{{"match", match, workingMatch}, {"recency", left, recencyWeight},
			{"priority", priorityScores[w.values["priority"]], 1 - recencyWeight}}))
	}
	return all
}

// found are the newest records that the search index has under one of the words.
func (r *recalling) found(t *table, when string, indexed func(*row) []string) []*row {
	all := slices.DeleteFunc(r.of(t), func(one *row) bool {
		text := strings.Join(indexed(one), " ")
		terms := termsOf(text)
		return !slices.ContainsFunc(r.all, func(word string) bool { return looksFor(word, text, terms) })
	})
	return newest(all, when, candidates)
}

func (r *recalling) episodes() (all []*Recalled) {
	texts := func(e *row) []string {
		return append([]string{e.values["summary"], e.values["details"]}, e.list("tags")...)
	}
	for _, e := range r.found(episodeTable, "timestamp", func(e *row) []string {
		var o struct{ Learnings []string }
		_ = json.Unmarshal([]byte(e.values["outcome"]), &o) // without one, there are no learnings
		return append(texts(e), o.Learnings...)
	}) {
		match := r.match(texts(e)...)
		if match == 0 {
			continue
		}
		weeks := float64(r.now-e.millis("timestamp")) / float64(7*day)
		all = append(all, r.scored(e, []Term{{"match", match, matchWeight}, {"recency", math.Pow(weekly, weeks), recencyWeight},
			{"importance", e.number("importance") / 10, importanceWeight}, {"accesses", math.Min(1, e.number("access_count")*0.1), accessWeight}},
			Factor{"arousal", 1 + e.number("arousal")*arousalBonus}))
	}
	return all
}

func (r *recalling) entities() (all []*Recalled) {
	texts := func(e *row) []string {
		return slices.Concat([]string{e.values["name"], e.values["description"]}, e.list("tags"), e.list("observations"))
	}
	for _, e := range r.found(entityTable, "updated_at", texts) {
		match := r.match(texts(e)...)
		if match == 0 {
			continue
		}
		months := float64(r.now-e.millis("updated_at")) / float64(30*day)
		all = append(all, r.scored(e, []Term{{"match", match, matchWeight}, {"confidence", e.number("confidence"), confidenceWeight},
			{"freshness", math.Pow(monthly, months), freshnessWeight}, {"maturity", math.Min(1, e.number("version")*0.2), maturityWeight}}))
	}
	return all
}

// spread lets scores pass over relations, nearest first, and returns the records with those that are reached.
func (r *recalling) spread(all []*Recalled) []*Recalled {
	entities, reached := map[string]*row{}, map[*row]*Recalled{}
	for _, e := range r.of(entityTable) {
		entities[e.id()] = e
	}
	for _, c := range all {
		reached[c.row] = c
	}
	hops := make([]int, len(all)) // to each of them
	for i := 0; i < len(all); i++ {
		at := all[i]
		if hops[i] >= spreadHops {
			continue
		}
		from, distance := at.Score, math.Pow(spreadPerHop, float64(hops[i]+1))
		for _, rel := range r.of(relationTable) {
			other := entities[rel.values["to_entity"]]
			if other == at.row {
				other = entities[rel.values["from_entity"]]
			} else if entities[rel.values["from_entity"]] != at.row {
				continue
			}
			strength := rel.number("strength")
			score := from * strength * distance
			if other == nil || score < spreadLeast || reached[other] != nil && score <= reached[other].Score {
				continue
			}
			next := r.scored(other, []Term{{"via", from, 1}}, Factor{"strength", strength}, Factor{"distance", distance})
			next.Via = at.File
			if c := reached[other]; c != nil {
				*c = *next
				continue
			}
			reached[other] = next
			all, hops = append(all, next), append(hops, hops[i]+1)
		}
	}
	return all
}

const day = int64(24 * time.Hour / time.Millisecond)

// live are the items that have not expired, the latest update first.
func (m *memory) live(now time.Time) []*row {
	items := newest(m.of(workingTable), "updated_at", math.MaxInt)
	return slices.DeleteFunc(items, func(w *row) bool { return w.millis("expires_at") <= now.UnixMilli() })
}

// newest are at most n of the records, the newest first.
func newest(all []*row, when string, n int) []*row {
	slices.SortStableFunc(all, func(a, b *row) int { return cmp.Compare(b.millis(when), a.millis(when)) })
	return all[:min(n, len(all))]
}
