package ccmemory

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/adapt/dbfile"
	"memcurator/memstore/memtest/cctest"
)

// noon is the time of the tests that a time decides.
var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// written is a database with records, and its folder.
func written(t testing.TB, m cctest.Memory) (dbfile.Bytes, string) {
	t.Helper()
	folder := t.TempDir()
	m.Write(t, filepath.Join(folder, "memory.db"))
	return readDatabase(t, folder), folder
}

func readDatabase(t testing.TB, folder string) dbfile.Bytes {
	t.Helper()
	b, err := dbfile.Read(context.Background(), filepath.Join(folder, "memory.db"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func loadDatabase(t testing.TB, b dbfile.Bytes) *Memory {
	t.Helper()
	m, err := loadMemory(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	return m.typed()
}

// scored is a record and its score as the program gives them.
type scored struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
}

// Every score, and which records are given in which order, is what the program's own recall gives.
func TestRecallAsTheProgram(t *testing.T) {
	t.Parallel()
	program := cctest.Find(t)
	for seed, size := range []int{40, 300, 800} {
		b, folder := written(t, cctest.Random(noon, uint64(seed), size))
		var steps []cctest.Step
		var queries []Query
		words := []string{"deploy pool", "timeout", "the of in", "認証", "データベース 接続", "db go x1", "connection database retry cache", "Kelvin straße",
			"\"quoted\" back\\slash", "ΟΔΟΣ istanbul", "e-mail don't", "リリース release", "under_score", "nothing-like-it", "", "test build is"}
		for n, w := range words {
			for _, s := range []Situation{{}, {Project: "/srv/shop", Branch: "main"}, {Project: "/srv/site", Branch: "auth", Session: "session-2"}} {
				q := Query{Words: w, Situation: s, Limit: []int{0, 3, 50}[n%3]}
				options := map[string]any{"currentContext": map[string]any{"projectPath": s.Project, "branch": s.Branch, "sessionId": s.Session}}
				if q.Limit > 0 {
					options["limit"] = q.Limit
				}
				queries = append(queries, q)
				steps = append(steps, cctest.Step{"do": "recall", "query": w, "options": options})
			}
		}
		scores := 0
		for i, answer := range program.Run(t, folder, noon, steps...) {
			var its struct{ Working, Episodic, Semantic []scored }
			if err := json.Unmarshal(answer, &its); err != nil {
				t.Fatal(err)
			}
			ours, err := queries[i].Recall(context.Background(), b, noon)
			if err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("seed %d, %+v", seed, queries[i])
			compareScores(t, what+", working", ours.Working, its.Working)
			compareScores(t, what+", episodes", ours.Episodes, its.Episodic)
			compareScores(t, what+", entities", ours.Entities, its.Semantic)
			scores += len(its.Working) + len(its.Episodic) + len(its.Semantic)
		}
		t.Logf("%d records, %d queries: %d scores equal", size, len(queries), scores)
	}
}

func compareScores(t *testing.T, what string, ours []Recalled, its []scored) {
	t.Helper()
	if len(ours) != len(its) {
		t.Errorf("%s: %d records, the program gives %d", what, len(ours), len(its))
		return
	}
	for i, r := range ours {
		if math.Abs(r.Score-its[i].Score) > 1e-9 || r.ID != its[i].ID {
			t.Errorf("%s, place %d: %s with %.12f, the program gives %s with %.12f", what, i, r.ID, r.Score, its[i].ID, its[i].Score)
		}
		if math.Abs(r.sum()-r.Score) > 1e-12 {
			t.Errorf("%s: the terms of %s make %.12f, not %.12f", what, r.ID, r.sum(), r.Score)
		}
	}
}

// What the forecast says of decay and boost is what they write, for every episode; items of working memory become episodes as it says.
func TestForecastAsTheProgram(t *testing.T) {
	t.Parallel()
	program := cctest.Find(t)
	for event, do := range map[Event]string{Decays: "decay", Fades: "legacy", Boosted: "boost"} {
		t.Run(do, func(t *testing.T) {
			t.Parallel()
			before, folder := written(t, cctest.Random(noon, 7, 2400)) // more episodes than decay looks at
			m := loadDatabase(t, before)
			want := map[string]float64{}
			for _, f := range m.Forecast(noon, 0, nil) {
				if f.Event == event {
					want[f.ID] = f.To
				}
			}
			program.Run(t, folder, noon, cctest.Step{"do": do})
			changed := 0
			was := byID(m.Episodes, func(e Episode) string { return e.ID })
			for _, e := range loadDatabase(t, readDatabase(t, folder)).Episodes {
				expected, ok := want[e.ID]
				if !ok {
					expected = was[e.ID].Importance
				}
				if e.Importance != expected {
					t.Errorf("%s: %v became %v, not %v", e.ID, was[e.ID].Importance, e.Importance, expected)
				}
				if e.Importance != was[e.ID].Importance {
					changed++
				}
			}
			if changed != len(want) || changed < 100 {
				t.Errorf("%d changed, %d foretold", changed, len(want))
			}
			t.Logf("%d of %d episodes changed as foretold", changed, len(m.Episodes))
		})
	}
	t.Run("working", func(t *testing.T) {
		t.Parallel()
		for seed := range uint64(6) {
			for event, step := range map[Event]cctest.Step{
				Evicted: {"do": "set", "item": map[string]any{"key": "one more", "value": 1}},
				Kept:    {"do": "end"},
			} {
				b, folder := written(t, cctest.Random(noon, seed, []int{20, 60, 90, 200, 5, 300}[seed]))
				m := loadDatabase(t, b)
				items := byID(m.Working, func(w Working) string { return w.ID })
				foretold := map[string]float64{}
				for _, f := range m.Forecast(noon, 0, nil) {
					if f.Event == event {
						foretold[items[f.ID].Key] = f.To
					}
				}
				program.Run(t, folder, noon, step)
				made := map[string]float64{}
				old := byID(m.Episodes, func(e Episode) string { return e.ID })
				for _, e := range loadDatabase(t, readDatabase(t, folder)).Episodes {
					if _, was := old[e.ID]; !was {
						_, key, _ := strings.Cut(e.Summary, ": ")
						made[key] = e.Importance
					}
				}
				delete(made, "one more") // where all others matter more, the new item itself goes
				if fmt.Sprint(made) != fmt.Sprint(foretold) {
					t.Errorf("seed %d, %s: %v became episodes, not %v", seed, event, made, foretold)
				}
			}
		}
	})
}
