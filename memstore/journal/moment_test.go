package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// After each step the listing and the views of the store are kept; the past at that revision
// must answer with the same texts through the same handlers.
func TestMomentAnswersAsTheStoreDid(t *testing.T) {
	d := newDesk(t)
	if err := os.Symlink("a.md", filepath.Join(d.dir, "link.md")); err != nil {
		t.Skip("no links here")
	}
	d.must(os.Symlink("/etc", filepath.Join(d.dir, "out")))
	_, err := d.j.Sync(t.Context(), past.Hints{Unseen: true})
	d.must(err)
	paths := []string{"/memories", "/memories/a.md", "/memories/link.md", "/memories/f", "/memories/f/b.md", "/memories/out", "/memories/none.md"}
	texts := func(s *memstore.Store) (out []string) {
		for _, p := range paths {
			out = append(out, s.View(context.Background(), p, nil).Content)
		}
		return out
	}
	want := map[int64][]string{}
	for _, c := range []memstore.Command{
		create("/memories/a.md", "one\ntwo\n"), create("/memories/f/b.md", "日本語\n"), replace("/memories/a.md", "two", "2"),
		rename("/memories/f", "/memories/g"), create("/memories/f/b.md", "new\n"), remove("/memories/a.md"),
	} {
		d.do(c)
		last, err := d.j.Last(t.Context())
		d.must(err)
		want[last] = texts(d.store)
	}
	if len(want) != 6 {
		t.Fatalf("revisions %v", d.story())
	}
	for rev, texts0 := range want {
		p, err := d.j.Moment(t.Context(), rev)
		d.must(err)
		for i, got := range texts(d.store.Over(p)) {
			if got != texts0[i] {
				t.Errorf("%s at #%d:\n%s\nwant\n%s", paths[i], rev, got, texts0[i])
			}
		}
	}
}

func TestMomentRefusesWrites(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "one\n"))
	p, err := d.j.Moment(t.Context(), 1)
	d.must(err)
	for _, err := range []error{p.Create("b", nil), p.Replace("a.md", nil, nil), p.Remove("a.md"), p.Rename("a.md", "b")} {
		if !errors.Is(err, memstore.ErrReadOnly) {
			t.Errorf("%v", err)
		}
	}
	s := d.store.Over(p)
	for _, c := range []memstore.Command{create("/memories/b.md", "x"), replace("/memories/a.md", "one", "1"), remove("/memories/a.md"), rename("/memories/a.md", "/memories/c.md")} {
		if r := s.Do(t.Context(), c); !errors.Is(r.Err, memstore.ErrReadOnly) {
			t.Errorf("%s: %v", c.Name, r.Err)
		}
	}
	if got := d.story(); len(got) != 1 {
		t.Errorf("recorded %v", got)
	}
	for _, rev := range []int64{-1, 2} {
		if _, err := d.j.Moment(t.Context(), rev); !errors.Is(err, past.ErrNoRevision) {
			t.Errorf("#%d: %v", rev, err)
		}
	}
}
