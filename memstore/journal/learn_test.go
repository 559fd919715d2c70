package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// What a transcript says is attributed to the revision that made the same bytes at about that time, once.
func TestLearnCalls(t *testing.T) {
	d := newDesk(t)
	for _, text := range []string{"from before\n", "one\n", "two\n", "one\n"} {
		d.must(os.WriteFile(filepath.Join(d.dir, "a.md"), []byte(text), 0o600))
		d.syncAll()
	}
	d.must(os.Remove(filepath.Join(d.dir, "a.md")))
	d.acceptEmpty()
	one, two := memstore.Sum([]byte("one\n")), memstore.Sum([]byte("two\n"))
	told := func(sum *memstore.Digest, id string, at time.Time) past.Told {
		return past.Told{Path: "/memories/a.md", After: sum, At: at, Turn: 7, Origin: memstore.Origin{Session: "s", Model: "m", ToolUseID: id}}
	}
	now := time.Now()
	list := []past.Told{told(&one, "c1", now), told(&two, "c2", now), told(&one, "c3", now), told(nil, "c4", now), told(&two, "late", now), told(&one, "early", now.Add(time.Hour))}
	n, err := d.j.Learn(t.Context(), list)
	d.must(err)
	if n != 4 {
		t.Errorf("learned %d, want 4", n)
	}
	rows, err := past.Revisions(t.Context(), d.j, past.Filter{Path: "/memories/a.md"})
	d.must(err)
	got := ""
	for _, r := range rows {
		got += fmt.Sprintln(r.ToolUseID, r.Session, r.Model, r.Actor, r.Turn)
	}
	if want := "c1 s m external 7\nc2 s m external 7\nc3 s m external 7\nc4 s m external 7\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if n, err := d.j.Learn(t.Context(), list); n != 0 || err != nil {
		t.Errorf("learned %d again, %v", n, err)
	}
}

// A revision that our own handlers recorded with its call gets what they could not know, and keeps what it has.
func TestLearnOfRecordedCalls(t *testing.T) {
	d := newDesk(t)
	d.must(os.WriteFile(filepath.Join(d.dir, "b.md"), []byte("b\n"), 0o600))
	d.syncAll()
	ctx := memstore.WithOrigin(t.Context(), memstore.Origin{Actor: memstore.Agent, Session: "mine", ToolUseID: "c1"})
	if r := d.store.Create(ctx, "/memories/a.md", "one\n"); r.IsError {
		t.Fatal(r.Content)
	}
	one := memstore.Sum([]byte("one\n"))
	list := []past.Told{{Path: "/memories/a.md", After: &one, At: time.Now().Add(-24 * time.Hour), Turn: 3, Origin: memstore.Origin{Session: "s", Model: "m", ToolUseID: "c1"}}}
	for _, want := range []int{1, 0} {
		n, err := d.j.Learn(t.Context(), list)
		d.must(err)
		if n != want {
			t.Errorf("learned %d, want %d", n, want)
		}
	}
	rows, err := past.Revisions(t.Context(), d.j, past.Filter{Path: "/memories/a.md"})
	d.must(err)
	if r := rows[0]; len(rows) != 1 || r.Session != "mine" || r.Model != "m" || r.ToolUseID != "c1" || r.Turn != 3 {
		t.Errorf("%+v", rows)
	}
}
