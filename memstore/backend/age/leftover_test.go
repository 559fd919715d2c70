package age_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
)

// steps is a recorder that looks at what an edit says of itself, and does something once its folder is aside.
type steps struct {
	temps   []string
	decided func(e *memstore.Edit)
}

func (s *steps) Begin(_ context.Context, e *memstore.Edit) (func(error), error) {
	s.temps = append(s.temps, e.Temp)
	return func(error) {}, nil
}

func (s *steps) Decided(e *memstore.Edit) error { s.decided(e); return nil }

// A folder is moved aside under a name that nothing on disk shows, is in no listing from then on, and goes whole.
func TestFolderGoesAside(t *testing.T) {
	d, _ := newDir(t)
	s := memstore.New(d, memstore.Options{})
	for _, p := range []string{"/memories/d/a.md", "/memories/d/deep/b.md", "/memories/stays.md"} {
		if r := s.Create(t.Context(), p, "text"); r.IsError {
			t.Fatal(r.Content)
		}
	}
	looked := false
	rec := &steps{decided: func(e *memstore.Edit) {
		looked = true
		aside := strings.TrimPrefix(e.Temp, memstore.Root+"/")
		if got := readAll(t, d, aside+"/deep/b.md"); got != "text" {
			t.Errorf("aside is %q", got)
		}
		if _, err := os.Lstat(filepath.Join(d.DiskPath(), aside)); err == nil {
			t.Error("the disk shows the name of the store")
		}
		snap, err := s.Scan(t.Context(), nil)
		must(t, err)
		if len(snap.Root.Children) != 1 {
			t.Errorf("a listing shows %d names", len(snap.Root.Children))
		}
	}}
	r := memstore.New(d, memstore.Options{Recorders: []memstore.Recorder{rec}}).Delete(t.Context(), "/memories/d")
	if r.IsError || !looked || len(rec.temps) != 1 {
		t.Errorf("%q, looked %v, %v", r.Content, looked, rec.temps)
	}
	if got := tree(t, d); strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, `"stays.md"`) {
		t.Errorf("left:\n%s", got)
	}
}
