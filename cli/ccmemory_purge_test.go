package cli

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore/memtest/cctest"
)

// A purge of a database of cc-memory removes a value from every table, and from the names that files have by the records.
func TestPurgeOfCCMemory(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	values := map[string]string{}
	of := func(position string) string {
		if values[position] == "" {
			values[position] = token(random)
		}
		return values[position]
	}
	m := cctest.Sample(time.Now())
	m.Working[0].Key += " " + of("key")
	m.Working[1].Value = []byte(cctest.JSON("it is " + of("value")))
	m.Episodes[0].Summary += " " + of("summary")
	m.Episodes[0].Details += "\nIt is " + of("details")
	m.Episodes[1].Tags = append(m.Episodes[1].Tags, of("tag"))
	for id := range m.Transcripts {
		m.Transcripts[id] = append(m.Transcripts[id], cctest.Message{Role: "user", Content: "use " + of("transcript")})
	}
	m.Entities[0].Name += " " + of("name")
	m.Entities[1].Observations = append(m.Entities[1].Observations, "see "+of("observation"))
	m.Entities[0].Description += " " + of("description")
	m.Patterns[0].Pattern += " " + of("pattern")
	m.Insights[0].Insight += " " + of("insight")
	hidden := func(position string) string { return cctest.JSON("only here " + of(position)) }
	m.Extra = map[string][][]any{
		"event_store":  {{"e1", "memory:create", 1, "s", hidden("event_store")}},
		"sync_history": {{"h1", "other", hidden("sync_history"), "merge", 1, 0, "{}", 1}},
		"conflicts":    {{"c1", "working", hidden("conflicts"), "{}", "manual", nil, nil, 1}},
		"audit_log":    {{"a1", 1, "agent", nil, "set", hidden("audit_log"), "working", nil, "success", nil, nil, nil, nil, nil}},
	}
	// What is in other tables only is found by a value that a file shows.
	for _, position := range []string{"event_store", "sync_history", "conflicts", "audit_log"} {
		m.Episodes[1].Details += "\n" + of(position)
	}
	db := filepath.Join(t.TempDir(), "memory.db")
	m.Write(t, db)
	if n := len(left(t, db, values)); n != len(values) {
		t.Fatalf("%d of %d values are in the file", n, len(values))
	}
	state := t.TempDir()
	if o := do(t, "scrub", "--purge-history", "--yes", "--state", state, db); o.code != 0 {
		t.Errorf("%s%s", o.out, o.err)
	}
	err := filepath.WalkDir(state, func(at string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if list := left(t, at, values); len(list) > 0 {
				t.Errorf("%s still has the values of %q", e.Name(), list)
			}
		}
		return err
	})
	if list := left(t, db, values); len(list) > 0 || err != nil {
		t.Errorf("the database still has the values of %q, %v", list, err)
	}
	if o := do(t, "scan", "--check", "--state", state, db); o.code != 0 {
		t.Errorf("a scan: %+v", o)
	}
	if info, err := os.Stat(db); err != nil || info.Size() == 0 {
		t.Error(fmt.Sprint(info, err))
	}
}
