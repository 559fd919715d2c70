package ccmemory

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"memcurator/memstore/memtest/cctest"
)

// A value is in no byte of the file once it was cleaned: not in tables that no file shows, not in the search index, not in free pages.
func TestCleanLeavesNoByte(t *testing.T) {
	t.Parallel()
	value := "Ab" + strings.Repeat("3xQ9", 6) + "é"
	m := cctest.Sample(noon)
	m.Episodes[0].Details += "\nThe key is " + value
	m.Episodes[1].Tags = append(m.Episodes[1].Tags, value)
	m.Working[0].Value = []byte(cctest.JSON("key " + value))
	m.Entities[0].Observations = append(m.Entities[0].Observations, "see "+value)
	m.Extra = map[string][][]any{
		"event_store":  {{"e1", "memory:create", 1, "s", cctest.JSON(map[string]string{"payload": value})}},
		"sync_history": {{"h1", "other", value, "merge", 1, 0, "{}", 1}},
		"conflicts":    {{"c1", "working", cctest.JSON(value), "{}", "manual", nil, nil, 1}},
		"audit_log":    {{"a1", 1, "agent", nil, "set", value, "working", nil, "success", nil, nil, nil, nil, nil}},
	}
	s := opened(t, m)
	// A record that went leaves its text in the free pages of the program's own writes.
	data, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(value)) {
		t.Fatal("the value isn't there to begin with")
	}
	err = s.CleanAll(t.Context(), func(text []byte) []byte { return bytes.ReplaceAll(text, []byte(value), []byte("[redacted]")) })
	if err != nil {
		t.Fatal(err)
	}
	if data, err = os.ReadFile(s.path); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{value, strings.ToLower(value[:20]), strings.Replace(value, "é", `\u00e9`, 1)} {
		if bytes.Contains(data, []byte(form)) {
			t.Errorf("%s is still in the file", form)
		}
	}
	image := imageOf(t, s)
	if len(image.Problems) > 0 || image.ReadOnly != "" {
		t.Errorf("%v %s", image.Problems, image.ReadOnly)
	}
	b := readDatabase(t, strings.TrimSuffix(s.path, "/"+fileName))
	db, err := b.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n int
	for table, want := range map[string]int{"event_store": 1, "audit_log": 1, "conflicts": 1, "sync_history": 1} {
		if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil || n != want {
			t.Errorf("%s: %d rows, %v", table, n, err)
		}
	}
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM search_index WHERE doc_type = 'episodic' AND term = 'redacted'").Scan(&n); err != nil || n != 2 {
		t.Errorf("search_index has the new words of %d episodes, %v", n, err)
	}
}
