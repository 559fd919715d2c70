package cctest_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/memtest/cctest"
)

var now = time.Date(2026, 3, 14, 9, 26, 53, 589_000_000, time.UTC)

// open opens a database that a test made.
func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// rows are the rows that a query gives, as text, in their order.
func rows(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	r, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer func() { _ = r.Close() }()
	names, err := r.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for r.Next() {
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(any)
		}
		if err := r.Scan(values...); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for i, v := range values {
			fmt.Fprintf(&b, "%s=%#v ", names[i], *v.(*any))
		}
		all = append(all, b.String())
	}
	return all
}

func write(t *testing.T, m cctest.Memory) *sql.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	m.Write(t, path)
	return open(t, path)
}

// What the builder makes is what the program makes of the same records: every table, column, index and row, but for ids that the program draws.
func TestAsTheProgramItself(t *testing.T) {
	t.Parallel()
	program := cctest.Find(t)
	for name, m := range map[string]cctest.Memory{"sample": cctest.Sample(now), "random": cctest.Random(now, 1, 300)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m.Extra = nil
			ours := write(t, m)
			folder := t.TempDir()
			program.Run(t, folder, now, cctest.Step{"do": "fill", "memory": m})
			its := open(t, filepath.Join(folder, "memory.db"))
			tables := rows(t, its, "SELECT name FROM sqlite_master WHERE type='table' ORDER BY rowid")
			same(t, "tables", rows(t, ours, "SELECT name FROM sqlite_master WHERE type='table' ORDER BY rowid"), tables)
			for _, table := range tables {
				table = strings.Split(table, `"`)[1]
				for _, about := range []string{"SELECT * FROM pragma_table_info('%s')", "SELECT * FROM pragma_foreign_key_list('%s')",
					"SELECT l.name, l.\"unique\", l.origin, i.* FROM pragma_index_list('%s') l, pragma_index_info(l.name) i ORDER BY l.name, i.seqno"} {
					query := fmt.Sprintf(about, table)
					same(t, query, rows(t, ours, query), rows(t, its, query))
				}
				query := contents(table)
				same(t, query, rows(t, ours, query), rows(t, its, query))
			}
		})
	}
}

// contents asks for the rows of a table that a test can foresee.
func contents(table string) string {
	switch table {
	case "episode_transcripts":
		return "SELECT episode_id, transcript, message_count, total_chars, created_at FROM episode_transcripts ORDER BY episode_id"
	case "search_index":
		return "SELECT * FROM search_index WHERE doc_type IN ('working', 'episodic', 'semantic') ORDER BY doc_type, doc_id, term"
	case "patterns":
		return "SELECT pattern, frequency, confidence, supporting_episodes, related_tags, agent_roles, source_agent_id, status, created_at, updated_at FROM patterns"
	case "insights":
		return "SELECT insight, reasoning, source_patterns, confidence, novelty, utility, domains, validated_by, status, knowledge_level, created_at FROM insights"
	case "wisdom":
		return `SELECT name, principle, description, derived_from_insights, derived_from_patterns, evidence_episodes, applicable_domains,
			applicable_contexts, limitations, validation_count, confidence_score, created_by, contributing_agents, version, tags, related_wisdom,
			contradictory_wisdom, created_at, updated_at FROM wisdom`
	case "schema_version":
		return "SELECT version, name FROM schema_version ORDER BY version"
	}
	return "SELECT * FROM " + table
}

func same(t *testing.T, what string, ours, its []string) {
	t.Helper()
	for i := range max(len(ours), len(its)) {
		if i >= len(ours) || i >= len(its) || ours[i] != its[i] {
			get := func(list []string) string {
				if i < len(list) {
					return list[i]
				}
				return "(nothing)"
			}
			t.Errorf("%s, row %d:\nours %s\nits  %s", what, i, get(ours), get(its))
			return
		}
	}
}
