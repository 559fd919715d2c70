package ccmemory

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/adapt"
	"memcurator/memstore/memtest/cctest"
)

func TestPropose(t *testing.T) {
	t.Parallel()
	sample := cctest.Sample(noon)
	b, _ := written(t, sample)
	m := loadDatabase(t, b)
	names := map[string]string{}
	for _, w := range m.Working {
		names[w.ID] = w.Key
	}
	for _, e := range m.Episodes {
		names[e.ID] = strings.Fields(e.Summary)[0]
	}
	for _, e := range m.Entities {
		names[e.ID] = e.Name
	}
	for _, tr := range m.Transcripts {
		names[tr.ID] = "transcript of " + names[tr.EpisodeID]
	}
	var got []string
	for _, p := range m.propose(noon, func(text string) int { return strings.Count(text, "line") }, func(_ *table, id string) (string, []byte) {
		if names[id] == "timing" {
			return "", nil // no file: no proposal
		}
		return names[id], []byte("---\nid: x\nimportance: 8\n---\nimportance: 9\n")
	}) {
		line := fmt.Sprintf("%s %s: %s", p.Kind, p.Name, p.Reason)
		if p.Urgent {
			line += " URGENT"
		}
		for _, e := range p.Edits {
			line += fmt.Sprintf(" %s>%s", p.Text[e.Start:e.End], e.Text)
		}
		got = append(got, line)
		if !slices.Contains(adapt.Kinds(), p.Kind) {
			t.Errorf("unknown kind %s", p.Kind)
		}
	}
	want := `expires sum: expires in 20 min
expires failing test: expires in 23 min
expires open file: expires in 30 min
expires 認証の方針: expires in 2 h
expires use tokens: expires in 3 h
expires deploy/next step: expires in 21 h
expires release: expires in 22 h
permanent open file: has a secret; eviction makes this a permanent episode URGENT
permanent failing test: eviction makes this a permanent episode
permanent use tokens: the end of a session makes this a permanent episode
permanent release: the end of a session makes this a permanent episode
permanent 認証の方針: the end of a session makes this a permanent episode
permanent deploy/next step: the end of a session makes this a permanent episode
decay Session: decay lowers importance 5 to 1; its older formula: 4 8>1
decay Queue: decay lowers importance 6 to 1; its older formula: 5 8>1
decay ユーザー認証を移行した: decay lowers importance 9 to 1; its older formula: 8 8>1
decay Deployed: decay lowers importance 7 to 1; its older formula: 6 8>1
decay PostgreSQL: decay lowers importance 8 to 1; its older formula: 7 8>1
boost Prefers: memory_boost raises importance 2 to 3 8>3
boost Deployed: memory_boost raises importance 7 to 8, decay lowers it`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}
