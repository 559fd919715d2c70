package cctest

import (
	"encoding/json"
	"fmt"
	"time"
)

const (
	minute = int64(time.Minute / time.Millisecond)
	hour   = 60 * minute
	day    = 24 * hour
)

// ID is an id of the program's form, a UUID of version 7, for a time and a number.
func ID(at int64, n int) string {
	return fmt.Sprintf("%08x-%04x-7%03x-8%03x-%012x", at>>16&0xffffffff, at&0xffff, n>>12&0xfff, n&0xfff, n)
}

// Sample is a memory with a few records of every kind, as an agent leaves them after some weeks with a web service.
func Sample(now time.Time) Memory {
	at := now.UnixMilli()
	m := Memory{Working: sampleWorking(at)}
	type e struct {
		days                        int64
		kind, summary, details      string
		importance                  float64
		accesses                    int
		tags                        []string
		outcome                     *Outcome
		valence, arousal            float64
		related, entities, branches string
	}
	for n, v := range []e{
		{40, "error", "PostgreSQL connection timeout", "The pool of 10 connections was exhausted at the peak of the evening.", 8, 3,
			[]string{"database", "performance"},
			&Outcome{"success", []string{"10 connections are too few"}, "50 connections"}, -0.7, 0.8, "", "0", "main"},
		{33, "success", "Deployed v2.1 without downtime", "Blue and green; health checks first.", 7, 6, []string{"deploy"},
			&Outcome{"success", []string{"Warm the cache before the switch"}, ""}, 0.8, 0.7, "", "1", "main"},
		{21, "milestone", "ユーザー認証を移行した", "セッションからトークンへ移行。期限は15分。", 9, 1, []string{"auth", "認証"}, nil, 0.9, 0.9, "", "2", "auth"},
		{14, "incident", "Queue stalled: 40,000 messages", "The consumer waited for a lock.\n\n- found by the alarm\n- restarted by hand", 6, 0,
			[]string{"queue", "incident"}, &Outcome{"partial", []string{}, ""}, -0.5, 0.7, "0", "", "main"},
		{2, "interaction", "Session end consolidation: deploy/next step", "Ask for the window before the release.", 5, 0,
			[]string{"deploy", "session-consolidated", "priority-medium"}, nil, 0, 0.5, "", "", ""},
		{1, "interaction", "Prefers short answers", "No lists unless asked; code first.", 2, 12, []string{"preference"}, nil, 0, 0.5, "", "", ""},
	} {
		when := at - v.days*day
		ep := Episode{ID: ID(when, n), Timestamp: when, Type: v.kind, Summary: v.summary, Details: v.details,
			Context: Context{Session: "session-" + v.kind}, Outcome: v.outcome, RelatedEpisodes: []string{}, RelatedEntities: []string{},
			Importance: v.importance, AccessCount: v.accesses, LastAccessed: when + int64(v.accesses)*6*hour, Tags: v.tags,
			Valence: v.valence, Arousal: v.arousal}
		if v.branches != "" {
			ep.Context.Project, ep.Context.Branch = "/srv/shop", v.branches
		}
		if v.related != "" {
			ep.RelatedEpisodes = []string{m.Episodes[0].ID}
		}
		m.Episodes = append(m.Episodes, ep)
	}
	m.Transcripts = map[string][]Message{
		m.Episodes[0].ID: {{"user", "Why do requests time out?", at - 40*day}, {"assistant", "The pool is empty: 10 of 10 in use.", 0}},
		ID(at-60*day, 99): { // of a deleted episode
			{"user", "What did we decide on retries?", 0}, {"assistant", "Three times, with a delay.", 0},
		},
	}
	m.Entities = sampleEntities(at)
	link := func(n, from, to int, kind string, strength float64) {
		m.Relations = append(m.Relations, Relation{ID: ID(at-9*day, 200+n), From: m.Entities[from].ID, To: m.Entities[to].ID,
			Type: kind, Strength: strength, Created: at - 9*day})
	}
	link(0, 0, 1, "used_by", 0.9)
	link(1, 1, 2, "depends_on", 0.7)
	link(2, 4, 3, "supersedes", 1)
	m.Relations[1].Metadata = json.RawMessage(`{"since":"v2"}`)
	m.Episodes[0].RelatedEntities = []string{m.Entities[0].ID}
	m.Episodes[2].RelatedEntities = []string{m.Entities[2].ID}
	sampleKnowledge(&m, at)
	return m
}

func sampleWorking(at int64) []Working {
	var all []Working
	for n, v := range []struct {
		key, kind, priority, value string
		age, left                  int64
		tags                       []string
	}{
		{"deploy/next step", "task_state", "medium", `"Ask for the window before the release."`, 3 * hour, 21 * hour, []string{"deploy"}},
		{"release", "task_state", "high", `{"version":"2.2","blocked":true,"steps":["build","migrate","switch"]}`, 2 * hour, 22 * hour,
			[]string{"deploy", "release"}},
		{"use tokens", "decision", "high", `"Tokens of 15 minutes instead of sessions."`, hour, 3 * hour, []string{"auth"}},
		{"認証の方針", "decision", "medium", `"リフレッシュトークンは一度だけ使える"`, 2 * hour, 2 * hour, []string{"認証"}},
		{"failing test", "context", "low", `"TestPool fails one time in ten"`, 37 * minute, 23 * minute, []string{}},
		{"open file", "context", "low", `{"path":"internal/pool.go","line":120}`, 30 * minute, 30 * minute, []string{"pool"}},
		{"sum", "scratch", "low", `42`, 10 * minute, 20 * minute, []string{}},
		{"timing", "scratch", "medium", `[1.5,2,null,true]`, 5 * minute, 25 * minute, []string{"performance"}},
		{"old idea", "scratch", "medium", `"Try it without the cache."`, 3 * hour, -150 * minute, []string{}},
	} {
		all = append(all, Working{ID: ID(at-v.age, 300+n), Type: v.kind, Key: v.key, Value: json.RawMessage(v.value), Tags: v.tags,
			Metadata: Lifetime{at - v.age, at - v.age, at + v.left, "session-today", v.priority}})
	}
	return all
}

func sampleEntities(at int64) []Entity {
	var all []Entity
	for n, v := range []Entity{
		{Name: "connection pool", Type: "config", Description: "50 connections, 5 s to wait.", Content: json.RawMessage(`{"max":50,"wait":5}`),
			Observations: []string{"10 were too few", "100 make the server slow"}, Confidence: 0.9, Version: 3, Tags: []string{"database"}},
		{Name: "deploy procedure", Type: "procedure", Description: "How a release goes out.", Procedure: &Procedure{
			Steps: []string{"Build", "Migrate", "Switch"}, Preconditions: []string{"The window is agreed"}},
			Observations: []string{}, Confidence: 1, Version: 1, Tags: []string{"deploy"}},
		{Name: "トークン", Type: "fact", Description: "期限は15分、更新は一度だけ。", Observations: []string{"RFC 6749"}, Confidence: 0.8, Version: 2,
			Tags: []string{"認証"}},
		{Name: "Short answers", Type: "preference", Description: "Answers should be short.", Observations: []string{}, Confidence: 0.7,
			Version: 1, Tags: []string{}},
		{Name: "short  answers", Type: "preference", Description: "Answers: short, code first.", Observations: []string{"said twice"},
			Confidence: 1, Version: 1, Tags: []string{"style"}},
		{Name: "ship 2.2", Type: "goal", Description: "Release 2.2 this month.", Observations: []string{}, Confidence: 1, Version: 1,
			Tags:    []string{"goal"},
			Content: json.RawMessage(`{"description":"Release 2.2 this month.","status":"active","progress":50}`)},
	} {
		v.ID, v.Source = ID(at-20*day, 100+n), "user"
		v.Created, v.Updated = at-20*day+int64(n)*hour, at-int64(10-n)*day
		all = append(all, v)
	}
	return all
}

func sampleKnowledge(m *Memory, at int64) {
	m.Patterns = []Pattern{{ID: "pattern_1", Pattern: "Timeouts follow a full pool", Confidence: 0.7, Episodes: []string{m.Episodes[0].ID},
		Tags: []string{"database"}, Created: at - 8*day}}
	m.Insights = []Insight{{ID: "insight_1", Insight: "Limits should be measured, not guessed", Reasoning: "Three limits were wrong.",
		Patterns: []string{"pattern_1"}, Confidence: 0.6, Domains: []string{"operations"}, Created: at - 7*day}}
	m.Wisdom = []Wisdom{{ID: "wisdom_1", Name: "Measure first", Principle: "Measure before you change a limit.",
		Description: "Guesses were wrong three times.", Insights: []string{"insight_1"}, Domains: []string{"operations"},
		Limitations: []string{"Not in an incident"}, Tags: []string{"limits"}, Created: at - 6*day}}
	m.Shared = []Shared{{ID: ID(at-day, 400), Key: "handover", Namespace: "team/shop",
		Value:      json.RawMessage(`{"by":"builder","note":"Migrations done."}`),
		Visibility: []string{"*"}, Owner: "builder", Clock: map[string]int64{"builder": 2}, Tags: []string{"release"},
		Created: at - day, Updated: at - 20*hour, Sequence: 2}}
	m.Extra = map[string][][]any{
		"agents":       {{"agent_1", "builder", "backend", `["go"]`, `[]`, `["shop"]`, at - 30*day, at - day}},
		"sync_history": {{"sync_1", "laptop", "Laptop", "export", 12, 1, `{"laptop":4}`, at - 5*day}},
		"conflicts": {{"conflict_1", "working", `{"key":"release","value":"2.1"}`, `{"key":"release","value":"2.2"}`, "merge_learnings",
			nil, nil, at - 5*day}},
		"audit_log": {{"audit_1", at - 4*day, "builder", "write", "memory:create", "episodic", "memory", m.Episodes[3].ID, "success", nil,
			`{"summary":"Queue stalled: 40,000 messages"}`, "shop", "session-incident", "127.0.0.1"}},
		"event_store": {{"evt_1", "memory:episodic:created", at - 14*day, "session-incident",
			`{"type":"memory:episodic:created","summary":"Queue stalled: 40,000 messages"}`}},
	}
}
