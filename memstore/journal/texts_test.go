package journal

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Whatever a caller sends along with an edit, the journal keeps its first 256 bytes: two megabytes of an id would be kept with
// every edit.
func TestTextsOfCallersAreCut(t *testing.T) {
	long := strings.Repeat("漢", 1000)
	origin := memstore.Origin{Actor: memstore.Actor(long), Session: "s" + long, Model: "mo" + long, ToolUseID: long, Group: long}
	d := newDesk(t)
	d.reconcile()
	ctx := memstore.WithOrigin(context.Background(), origin)
	for _, r := range []memstore.Result{d.store.Create(ctx, "/memories/a.md", "a\n"), d.store.Create(ctx, "/memories/b.md", "b\n"), d.store.View(ctx, "/memories/a.md", nil)} {
		if r.IsError {
			t.Fatal(r.Content)
		}
	}
	d.outside("c.md", "c\n")
	after := memstore.Sum([]byte("c\n"))
	d.reconcile()
	_, err := d.j.Learn(context.Background(), []past.Told{{Path: "/memories/c.md", After: &after, At: time.Now(), Origin: origin}})
	d.must(err)
	d.must(d.j.LearnUses(context.Background(), map[string]past.Use{"/memories/b.md": {Views: 1, Last: time.Now(), Session: long}}))
	list, err := past.Revisions(context.Background(), d.j, past.Filter{Session: origin.Session})
	d.must(err)
	if len(list) != 3 || list[0].Group == 0 || list[0].Group != list[1].Group {
		t.Errorf("by its whole session and group %d revisions are found", len(list))
	}
	n := 0
	d.must(d.j.Texts(context.Background(), func(where, text string) bool {
		if n++; len(text) > 256 || !utf8.ValidString(text) {
			t.Errorf("%s has %d bytes, or half a rune", where, len(text))
		}
		return true
	}))
	if n < 6 {
		t.Errorf("only %d texts were looked at", n)
	}
}
