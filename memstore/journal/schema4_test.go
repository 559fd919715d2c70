package journal

import (
	"bytes"
	"context"
	"memcurator/memstore/journal/backup"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
)

// The journal in testdata/schema4 and its store were made by a program whose schema was 4: edits of an agent, of the curator and
// of another program, renames of a file and of a folder, a folder that was deleted, an exec that was killed with an intent open, and
// a purge that was announced. Journals of then open, undo and purge whatever migrations there are.
func TestJournalsOfSchema4(t *testing.T) {
	ctx := context.Background()
	d := &desk{t: t, dir: filepath.Join(t.TempDir(), "store"), state: t.TempDir()}
	d.must(os.CopyFS(d.dir, os.DirFS("testdata/schema4/store")))
	data, err := os.ReadFile("testdata/schema4/journal.db")
	d.must(err)
	d.must(os.WriteFile(filepath.Join(d.state, fileName), data, 0o600))
	d.open(Options{})
	t.Cleanup(d.close)
	if list := backup.In(d.state); len(list) != 1 || backup.Verify(ctx, filepath.Join(d.state, list[0].Name), schema.Current) != nil {
		t.Errorf("no copy of before the migration: %+v", list)
	} else if r, ok := FindRemedy(ctx, d.state); !ok || r.Last != 20 {
		t.Errorf("it cannot be repaired from: %+v", r)
	}
	if what, _, err := d.j.PendingPurge(ctx); err != nil || what == nil {
		t.Errorf("the purge is forgotten: %v", err)
	}
	_, err = d.j.Reconcile(ctx, nil)
	d.must(err)
	actors := map[memstore.Actor]int{}
	var renamed, restored int64
	for _, r := range d.revisions() {
		actors[r.Actor]++
		switch {
		case r.Path == "/memories/renamed.md" && r.OldPath == "/memories/n3.md":
			renamed = r.Rev
		case r.Path == "/memories/n4.md" && r.Actor == memstore.Curator:
			restored = r.Rev
		}
	}
	if actors[memstore.Agent] < 15 || actors[memstore.External] < 2 || actors[memstore.Curator] != 1 || renamed == 0 || restored == 0 {
		t.Errorf("the past is %v", d.story())
	}
	if r, err := d.j.Check(ctx); err != nil || len(r.Damage) > 0 || r.Open != 0 || len(r.Disagree) > 0 {
		t.Errorf("the check says %+v, %v", r, err)
	}
	d.undo()
	if _, err := os.Lstat(filepath.Join(d.dir, "n4.md")); !os.IsNotExist(err) {
		t.Errorf("the restored file is there after the undo: %v", err)
	}
	d.revert(renamed)
	d.holds("n3.md", strings.Repeat("note 3\n", 5))
	done, err := d.j.Purge(ctx, past.Purge{Redact: func(_ string, text []byte) []byte {
		return bytes.ReplaceAll(text, []byte("a\nb\nc\n"), []byte("gone\n"))
	}})
	d.must(err)
	if done.Contents == 0 {
		t.Error("the purge has found nothing")
	}
	if d.imageHolds("a\nb\nc\n") {
		t.Error("the purge has left the word")
	}
}
