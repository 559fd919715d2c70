package ccmemory

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/memtest/cctest"
)

// The scores were given by the program itself, for the same records and the same time.
func TestRecall(t *testing.T) {
	t.Parallel()
	b, _ := written(t, cctest.Sample(noon))
	m := loadDatabase(t, b)
	titles := map[string]string{}
	for _, w := range m.Working {
		titles[w.ID] = w.Key
	}
	for _, e := range m.Episodes {
		titles[e.ID] = e.Summary
	}
	for _, e := range m.Entities {
		titles[e.ID] = e.Name
	}
	got, err := Query{Words: "Deploy  pool\ntimeouts", Situation: Situation{Project: "/srv/shop", Branch: "auth"}}.Recall(context.Background(), b, noon)
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		title string
		score float64
	}
	for _, c := range []struct {
		layer string
		got   []Recalled
		want  []row
	}{
		{"working", got.Working, []row{{"release", 1.1416666666666666}, {"deploy/next step", 0.8491666666666666}, {"open file", 0.5266666666666666},
			{"failing test", 0.4916666666666666}}},
		{"episodes", got.Episodes, []row{{"PostgreSQL connection timeout", 0.9645070153420928}, {"Deployed v2.1 without downtime", 0.9435387735404064},
			{"Session end consolidation: deploy/next step", 0.7233141485087303}}},
		{"entities", got.Entities, []row{{"connection pool", 0.8109842692660774}, {"deploy procedure", 0.8012184644504166}, {"トークン", 0.28042646255764575}}},
	} {
		if len(c.got) != len(c.want) {
			t.Errorf("%s: %+v", c.layer, c.got)
			continue
		}
		for i, w := range c.want {
			if r := c.got[i]; titles[r.ID] != w.title || math.Abs(r.Score-w.score) > 1e-9 {
				t.Errorf("%s, place %d: %s with %v, want %s with %v", c.layer, i, titles[r.ID], r.Score, w.title, w.score)
			}
		}
	}
	if via := got.Entities[2].Via; titles[via] != "deploy procedure" {
		t.Errorf("the entity that no word names is reached from %q", titles[via])
	}
}

func FuzzRecall(f *testing.F) {
	b, _ := written(f, cctest.Random(noon, 5, 60))
	for _, s := range []string{"deploy pool", "認証 db", "\xff\x00", strings.Repeat("a ", 300), "' OR 1=1 --"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, words string) {
		r, err := Query{Words: words}.Recall(context.Background(), b, noon)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range slices.Concat(r.Working, r.Episodes, r.Entities) {
			if !(c.Score > 0) || math.Abs(c.sum()-c.Score) > 1e-12 {
				t.Errorf("%q: %+v", words, c)
			}
		}
	})
}
