package journal

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// The SDKs make the parents of a new path before they refuse the rename. Those folders are the agent's.
func TestFoldersOfARefusedRenameAreTheAgents(t *testing.T) {
	for _, dialect := range []memstore.Dialect{memstore.TypeScript, memstore.Python} {
		d := newDesk(t)
		d.do(create("/memories/a.md", "a note\n"))
		store := memstore.New(d.store.Backend(), memstore.Options{Dialect: dialect, Recorders: []memstore.Recorder{d.j}})
		if r := store.Do(context.Background(), rename("/memories/x/gone", "/memories/n/sub/b")); !r.IsError {
			t.Fatalf("%s: %s", dialect, r.Content)
		}
		d.j.Flush()
		list := d.revisions()
		for _, r := range list {
			if r.Actor != memstore.Agent || r.Shape != past.Made {
				t.Errorf("%s: %s %s %s has shape %d", dialect, r.Actor, r.Command, r.Path, r.Shape)
			}
		}
		if r, err := d.j.Check(context.Background()); err != nil || !r.OK() || len(list) != 2 {
			t.Errorf("%s: %d revisions, %+v, %v", dialect, len(list), r, err)
		}
	}
}

// A watcher may see a folder before the edit that it is made for has ended.
func TestFoldersOfAnOpenEditAreOurs(t *testing.T) {
	d := newDesk(t)
	d.reconcile()
	ctx := context.Background()
	text := []byte("a note\n")
	end, err := d.j.Begin(ctx, &memstore.Edit{
		Command: create("/memories/n/deep/a.md", string(text)), Origin: memstore.Origin{Actor: memstore.Agent}, Made: 2,
		Changes: []memstore.Change{{Kind: memstore.KindFile, Path: "/memories/n/deep/a.md", After: memstore.NewContent(text)}},
	})
	d.must(err)
	d.must(os.MkdirAll(filepath.Join(d.dir, "n", "deep"), 0o700))
	d.must(os.Mkdir(filepath.Join(d.dir, "other"), 0o700))
	if s := d.sync("n", "n/deep", "other"); s.Made != 1 {
		t.Errorf("%+v: other alone was made by another program", s)
	}
	d.must(os.WriteFile(filepath.Join(d.dir, "n", "deep", "a.md"), text, 0o600))
	end(nil)
	d.j.Flush()
	for _, r := range d.revisions() {
		if (r.Actor == memstore.External) != (r.Path == "/memories/other") {
			t.Errorf("%s is recorded as made by %s", r.Path, r.Actor)
		}
	}
}

// A watcher may also see it after the edit was found not to be carried out, since its process was killed, and before it is removed.
func TestFoldersOfAKilledEditAreOurs(t *testing.T) {
	d := newDesk(t)
	d.reconcile()
	d.must(d.j.tx("test", false, func(w *tableWriter) error { return w.leaveName("left", leftEmpty) }))
	for _, name := range []string{"left", "other"} {
		d.must(os.Mkdir(filepath.Join(d.dir, name), 0o700))
	}
	s := d.sync("left", "other")
	if list := d.revisions(); s.Made != 1 || len(list) != 1 || list[0].Path != "/memories/other" {
		t.Errorf("%+v were recorded: %v", s, list)
	}
}
