package browse

import (
	"slices"
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
	slices.Reverse(list)
	sessions := sessionsOf(list)
	if len(sessions) != 3 {
		t.Fatalf("%d rows: %+v", len(sessions), sessions)
	}
	if s := sessions[0]; s.actor != memstore.External || s.changes != 3 || s.counts.Added != 3 || s.counts.Removed != 6 ||
		!s.first.Equal(at) || !s.last.Equal(at.Add(12*time.Hour)) {
		t.Errorf("joined %+v", s)
	}
}
