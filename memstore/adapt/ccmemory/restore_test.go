//go:build unix

package ccmemory

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/adapt"
)

// contentsOf is every row of every table, except for the times in the search index.
func contentsOf(t testing.TB, s *Source) []string {
	t.Helper()
	b := readDatabase(t, filepath.Dir(s.path))
	db, err := b.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	query := func(query string) (list [][]any) {
		rows, err := db.QueryContext(context.Background(), query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			cells, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range cells {
				into[i] = &cells[i]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			list = append(list, cells)
		}
		return list
	}
	var out []string
	for _, name := range query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1") {
		columns := "*"
		if name[0] == searchIndex {
			columns = "term, doc_type, doc_id"
		}
		for _, r := range query(fmt.Sprintf("SELECT %s FROM %s", columns, name[0])) {
			out = append(out, fmt.Sprintf("%s %v", name[0], r))
		}
	}
	slices.Sort(out)
	return out
}

// A record that is deleted and made again is what it was in every column and table: accesses, columns that no file shows, its relations.
func TestRestore(t *testing.T) {
	t.Parallel()
	s := altered(t,
		"UPDATE episodic_memory SET access_count = 7, last_accessed = 123, stability = 2.5, arousal = 0.9, agent_id = 'a', sync_seq = 4",
		"UPDATE semantic_entities SET version = 6, updated_at = 55, derived_from = '[1]', origin_name = 'b'",
		"UPDATE working_memory SET updated_at = 44, origin_id = 'c'", "UPDATE wisdom SET validation_count = 3, updated_at = 33",
		"INSERT INTO wisdom_applications SELECT 'wa', id, NULL, 'in context', 'success', NULL, 'd', 5 FROM wisdom LIMIT 1")
	before := contentsOf(t, s)
	if !slices.ContainsFunc(before, func(l string) bool { return strings.HasPrefix(l, "semantic_relations") }) {
		t.Fatal("relations are missing")
	}
	// First two entities at once, of which the second brings back the relation of both; then each record by itself.
	texts := map[string]string{}
	for _, e := range imageOf(t, s).Entries {
		texts[e.Name] = string(e.Text)
	}
	remove := func(name string) {
		t.Helper()
		if err := s.Write(t.Context(), imageOf(t, s), adapt.Edit{Name: name}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	back := func(name string) {
		t.Helper()
		if err := s.Write(t.Context(), imageOf(t, s), adapt.Edit{Name: name, New: []byte(texts[name])}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	compare := func(what string) {
		t.Helper()
		after := contentsOf(t, s)
		for _, l := range before {
			if !slices.Contains(after, l) {
				t.Errorf("%s: lost %s", what, l)
			}
		}
		for _, l := range after {
			if !slices.Contains(before, l) {
				t.Errorf("%s: new %s", what, l)
			}
		}
	}
	var entities []string
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if strings.HasPrefix(name, "semantic/") {
			entities = append(entities, name)
			remove(name)
		}
	}
	for _, name := range entities {
		back(name)
	}
	compare("all entities")
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if strings.HasPrefix(name, "semantic/") || strings.HasPrefix(name, "orphans/") {
			continue
		}
		remove(name)
		transcript := strings.TrimSuffix(name, extension) + transcriptExtension
		back(name)
		if strings.HasSuffix(name, extension) && texts[transcript] != "" {
			back(transcript)
		}
		compare(name)
	}
}
