package journal

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore"
)

// What a transcript tells of is given to the revision that made the same bytes at about that time, once.
func TestLearnCalls(t *testing.T) {
	d := newDesk(t)
	for _, text := range []string{"from before\n", "one\n", "two\n", "one\n"} {
		d.must(os.WriteFile(filepath.Join(d.dir, "a.md"), []byte(text), 0o600))
		d.reconcile()
	}
	d.must(os.Remove(filepath.Join(d.dir, "a.md")))
	d.reconcile()
	one, two := memstore.Sum([]byte("one\n")), memstore.Sum([]byte("two\n"))
	told := func(sum *memstore.Digest, id string, at time.Time) Told {
		return Told{Path: "/memories/a.md", After: sum, At: at, Origin: memstore.Origin{Session: "s", Model: "m", ToolUseID: id}}
	}
	now := time.Now()
	list := []Told{told(&one, "c1", now), told(&two, "c2", now), told(&one, "c3", now), told(nil, "c4", now), told(&two, "late", now), told(&one, "early", now.Add(time.Hour))}
	n, err := d.j.Learn(t.Context(), list)
	d.must(err)
	if n != 4 {
		t.Errorf("learned %d, want 4", n)
	}
	rows, err := d.j.Revisions(t.Context(), Filter{Path: "/memories/a.md"})
	d.must(err)
	got := ""
	for _, r := range rows {
		got += r.ToolUseID + " " + r.Session + " " + r.Model + " " + string(r.Actor) + "\n"
	}
	if want := "c1 s m external\nc2 s m external\nc3 s m external\nc4 s m external\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if has, err := d.j.HasSession(t.Context(), "s"); !has || err != nil {
		t.Errorf("the session is not known, %v", err)
	}
	if n, err := d.j.Learn(t.Context(), list); n != 0 || err != nil {
		t.Errorf("learned %d again, %v", n, err)
	}
}

func TestLearnChangesNoChain(t *testing.T) {
	d := newDesk(t)
	d.must(os.WriteFile(filepath.Join(d.dir, "a.md"), []byte("one\n"), 0o600))
	d.reconcile()
	d.must(d.j.SetChain(true))
	sum := memstore.Sum([]byte("one\n"))
	n, err := d.j.Learn(t.Context(), []Told{{Path: "/memories/a.md", After: &sum, At: time.Now(), Origin: memstore.Origin{Session: "s"}}})
	if n != 0 || err != nil {
		t.Errorf("learned %d, %v", n, err)
	}
}

func TestLearnUses(t *testing.T) {
	d := newDesk(t)
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	d.must(d.j.LearnUses(t.Context(), map[string]Use{"/memories/a.md": {Views: 3, Last: at, Session: "s"}}))
	d.must(d.j.LearnUses(t.Context(), map[string]Use{"/memories/a.md": {Views: 2, Last: at.Add(-time.Hour), Session: "old"}}))
	uses, err := d.j.Uses(context.Background())
	d.must(err)
	if u := uses["/memories/a.md"]; u.Views != 3 || !u.Last.Equal(at) || u.Session != "s" {
		t.Errorf("%+v", u)
	}
}
