package browse

import (
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// What other programs did is one row, however long they paused; sessions stay apart.
func TestEditsWithoutSessionAreOneRow(t *testing.T) {
	at := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	var list []past.Revision
	for i, session := range []string{"", "7f3a", "", "91c0", ""} {
		actor := memstore.Agent
		if session == "" {
			actor = memstore.External
		}
		list = append(list, past.Revision{Rev: int64(i + 1), Time: at.Add(time.Duration(i) * 3 * time.Hour), Actor: actor, Session: session,
			Path: "/memories/a.md", Added: 1, Removed: 2})
	}
	runs := joinRuns(past.Runs(list))
	if len(runs) != 3 {
		t.Fatalf("%d rows: %+v", len(runs), runs)
	}
	r := runs[0]
	if r.Actor != memstore.External || len(r.Revisions) != 3 || r.Added != 3 || r.Removed != 6 || !r.First.Equal(at) ||
		!r.Last.Equal(at.Add(12*time.Hour)) || r.Revisions[0].Rev != 1 || r.Revisions[2].Rev != 5 {
		t.Errorf("joined %+v", r)
	}
}
