package tables

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// The weights of the program's smart_recall, where its caller names none.
const (
	recallLimit      = 10   // records of each layer
	candidates       = 20   // episodes and entities that are looked at: the newest of those that match
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
)

// Recalled is a record that the program's smart_recall would give, with its score, term by term. The keys are a contract of commands, as
// those of [Term] and [Factor].
type Recalled struct {
	Path    string   `json:"path"`  // agent path
	Layer   string   `json:"layer"` // working, episodic, semantic
	Score   float64  `json:"score"`
	Terms   []Term   `json:"terms"`   // their sum, times the factors, is the score
	Factors []Factor `json:"factors"` // that differ from 1
}

// Term is one term of a score.
type Term struct {
	Name   string  `json:"name"` // "match", "recency", "importance", "accesses", "priority", "confidence", "freshness", "maturity"
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
}

// Factor multiplies a score.
type Factor struct {
	Name  string  `json:"name"` // "arousal"
	Value float64 `json:"value"`
}

// recalling is a recall on its way.
type recalling struct {
	*memory
	words []string
	now   int64
}

// RecallFrom works out what the program would recall from the database at a path at a time, the best of each layer first, and why; without
// the entities that it reaches only over relations. It moves no access count. Words of one or two characters are ignored.
func RecallFrom(ctx context.Context, path, words string, now time.Time) (list []Recalled, ignored []string, err error) {
	m, err := sourceAt(path).read(ctx)
	if err != nil {
		return nil, nil, err
	}
	r := recalling{memory: m, now: now.UnixMilli()}
	for _, word := range strings.Fields(strings.ToLower(words)) {
		if utf8.RuneCountInString(word) > 2 {
			r.words = append(r.words, word)
		} else {
			ignored = append(ignored, word)
		}
	}
	return slices.Concat(best(r.working(now)), best(r.episodes()), best(r.entities())), ignored, nil
}

// scored is a record with its score.
func (r *recalling) scored(of *row, sum []Term, factors ...Factor) Recalled {
	c := Recalled{Path: backend.AgentPath(r.names[of]), Layer: of.table.layer, Terms: sum, Factors: []Factor{}}
	for _, t := range sum {
		c.Score += t.Value * t.Weight
	}
	for _, f := range factors {
		if f.Value != 1 {
			c.Factors = append(c.Factors, f)
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

// best are the records with the highest scores, the best first.
func best(all []Recalled) []Recalled {
	all = slices.DeleteFunc(all, func(c Recalled) bool { return !(c.Score > 0) }) // what is not a number isn't, either
	slices.SortStableFunc(all, func(a, b Recalled) int { return cmp.Compare(b.Score, a.Score) })
	return all[:min(len(all), recallLimit)]
}

var priorityScores = map[string]float64{"high": 1, "medium": 0.6, "low": 0.3}

func (r *recalling) working(now time.Time) (all []Recalled) {
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

// found is the match of the newest records that have one of the words.
func (r *recalling) found(t *table, when string, texts func(*row) []string) (rows []*row, match map[*row]float64) {
	match = map[*row]float64{}
	for _, one := range r.of(t) {
		if m := r.match(texts(one)...); m > 0 {
			rows, match[one] = append(rows, one), m
		}
	}
	return newest(rows, when, candidates), match
}

func (r *recalling) episodes() (all []Recalled) {
	rows, match := r.found(episodeTable, "timestamp", func(e *row) []string {
		return append([]string{e.values["summary"], e.values["details"]}, e.list("tags")...)
	})
	for _, e := range rows {
		weeks := float64(r.now-e.millis("timestamp")) / float64(7*day)
		all = append(all, r.scored(e, []Term{{"match", match[e], matchWeight}, {"recency", math.Pow(weekly, weeks), recencyWeight},
			{"importance", e.number("importance") / 10, importanceWeight}, {"accesses", math.Min(1, e.number("access_count")*0.1), accessWeight}},
			Factor{"arousal", 1 + e.number("arousal")*arousalBonus}))
	}
	return all
}

func (r *recalling) entities() (all []Recalled) {
	rows, match := r.found(entityTable, "updated_at", func(e *row) []string {
		return slices.Concat([]string{e.values["name"], e.values["description"]}, e.list("tags"), e.list("observations"))
	})
	for _, e := range rows {
		months := float64(r.now-e.millis("updated_at")) / float64(30*day)
		all = append(all, r.scored(e, []Term{{"match", match[e], matchWeight}, {"confidence", e.number("confidence"), confidenceWeight},
			{"freshness", math.Pow(monthly, months), freshnessWeight}, {"maturity", math.Min(1, e.number("version")*0.2), maturityWeight}}))
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
