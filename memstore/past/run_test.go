package past_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

func TestRunsAreSessionsOrWhatBelongsTogether(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	at := func(rev int64, minute int, actor memstore.Actor, session, path string) past.Revision {
		return past.Revision{
			Rev: rev, Time: begin.Add(time.Duration(minute) * time.Minute), Actor: actor, Session: session, Path: path, Added: 2, Removed: 1,
			Unread: actor != memstore.Curator,
		}
	}
	list := []past.Revision{
		at(1, 0, memstore.Agent, "7f3a", "/memories/a.md"),
		at(2, 5, memstore.External, "", "/memories/b.md"),
		at(3, 300, memstore.Agent, "7f3a", "/memories/a.md"), // a session may rest
		at(4, 301, memstore.Agent, "91c0", "/memories/c.md"),
		at(5, 302, memstore.External, "", "/memories/b.md"), // long after the first
		at(6, 303, memstore.External, "", "/memories/d.md"),
		at(7, 304, memstore.Curator, "", "/memories/d.md"),
	}
	var got []string
	for _, r := range past.Runs(list) {
		got = append(got, fmt.Sprintf("%s %s %d..%d %s-%s %df +%d -%d %du", r.Actor, r.Session, r.Revisions[0].Rev, r.Revisions[len(r.Revisions)-1].Rev,
			r.First.Format("15:04"), r.Last.Format("15:04"), r.Files, r.Added, r.Removed, r.Unread))
	}
	want := []string{
		"curator  7..7 14:04-14:04 1f +2 -1 0u",
		"external  5..6 14:02-14:03 2f +4 -2 2u",
		"agent 91c0 4..4 14:01-14:01 1f +2 -1 1u",
		"agent 7f3a 1..3 09:00-14:00 1f +4 -2 2u",
		"external  2..2 09:05-09:05 1f +2 -1 1u",
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
}
