package findings

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
	"memcurator/memstore/statedir"
)

// Other stores that hold a value are named, and stay as they are: one of its own, one that is gone, and the store under its former path.
func TestPurgeNamesOtherStores(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	token, base := secretOf(900), filepath.Join(root, "state")
	d := &desk{t: t, engine: engine, dir: filepath.Join(root, "now")}
	leak := func(dir string) {
		t.Helper()
		d.must(os.MkdirAll(dir, 0o700))
		state, err := statedir.For(base, dir)
		d.must(err)
		b, err := memstore.OpenDir(dir, memstore.DirOptions{})
		d.must(err)
		j, err := journal.Open(state, journal.Options{Backend: b, Process: "test"})
		d.must(err)
		s := memstore.New(b, memstore.Options{Recorders: []memstore.Recorder{j}, Overwrite: true})
		if r := s.Create(t.Context(), "/memories/a.md", "token: "+token+"\n"); r.IsError {
			t.Fatal(r.Content)
		}
		d.must(j.Close())
		d.must(b.Close())
	}
	former, gone, other := filepath.Join(root, "former"), filepath.Join(root, "gone"), filepath.Join(root, "other")
	for _, dir := range []string{former, gone, other} {
		leak(dir)
	}
	d.must(os.RemoveAll(gone))
	d.must(os.Rename(former, d.dir))
	d.state, err = statedir.For(base, d.dir)
	d.must(err)
	d.open()
	t.Cleanup(d.close)
	_, err = d.journal.Sync(t.Context(), past.Hints{Unseen: true})
	d.must(err)
	before := memtest.FilesHolding(t, token, other)
	s := d.scrubber()
	s.Accept(d.scan().Secrets)
	done, err := s.Purge(t.Context())
	d.must(err)
	var named []string
	for _, o := range done.Left.Stores {
		named = append(named, fmt.Sprint(filepath.Base(o.Path), " ", o.Gone))
	}
	slices.Sort(named)
	if want := []string{"former true", "gone true", "other false"}; !slices.Equal(named, want) || done.Left.Clean() {
		t.Errorf("other stores are %q, want %q", named, want)
	}
	if len(done.Left.Left) > 0 || memtest.FilesHolding(t, token, d.dir) > 0 {
		t.Errorf("left %+v", done.Left.Left)
	}
	if memtest.FilesHolding(t, token, other) != before {
		t.Error("the files of another store were changed")
	}
}
