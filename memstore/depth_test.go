package memstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/backend"
)

// No command takes a new path of more than 256 names, and what a link on the way leads to counts.
func TestNoPathGetsTooDeep(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return backend.Root + strings.Repeat("/a", n) }
	for _, d := range Dialects() {
		for _, onDisk := range []bool{false, true} {
			if onDisk && d != Docs {
				continue // the rule is the same for all, and the tree takes long to read
			}
			b := NewMemory()
			if onDisk {
				b = openTestDir(t)
			}
			s := New(b, Options{Dialect: d})
			do := func(c Command, fails bool) {
				t.Helper()
				was := storeTree(t, s, "")
				shown, edit := s.Preview(t.Context(), c)
				r := s.Do(t.Context(), c)
				if r.IsError != fails || fails && (r.Content != tooDeep || !errors.Is(r.Err, backend.ErrNameTooLong)) || r.Content != shown.Content {
					t.Fatalf("%s on disk %v: %s %.80s %.80s: %.120q, shown %.120q", d, onDisk, c.Name, c.OldPath, c.NewPath, r.Content, shown.Content)
				}
				if fails && (edit != nil || storeTree(t, s, "") != was) {
					t.Fatalf("%s on disk %v: a refused command has changed something", d, onDisk)
				}
			}
			do(create(deep(250), ""), false)
			do(create(backend.Root+"/b/c/d.md", ""), false)
			do(move(backend.Root+"/a", backend.Root+"/b/c/x/y/z/v/w"), false)
			do(move(backend.Root+"/b/c/x/y/z/v/w", backend.Root+"/b/c/x/y/u"), false)
			do(create(backend.Root+"/1/2/3.md", ""), false)
			do(move(backend.Root+"/1", backend.Root+"/b/c/x/y/u"+deep(250)[len(backend.Root):]+"/1/1"), true)
			linker, ok := b.(LinkMaker)
			if !ok {
				t.Fatal("no links")
			}
			target := "b/c/x/y/u" + deep(245)[len(backend.Root):]
			must(t, linker.Symlink(target, "link"))
			do(create(backend.Root+"/link/1/2/3/4/5/6/7.md", ""), true)
			do(create(backend.Root+"/link/1/2.md", ""), false)
			if d != Python { // it moves what is at the end of links
				do(move(backend.Root+"/1", backend.Root+"/link/1/2/3/4/5/6/7"), true)
			}
		}
	}
}

// What another program has made deeper can be looked at, edited, moved up and deleted.
func TestDeeperThanANewPath(t *testing.T) {
	d := openTestDir(t)
	root, err := os.OpenRoot(d.Path())
	must(t, err)
	defer root.Close()
	at := strings.Repeat("d/", 300)
	must(t, root.MkdirAll(at, 0o700))
	must(t, root.WriteFile(at+"f.md", []byte("old\n"), 0o600))
	s := New(d, Options{})
	ctx := context.Background()
	for _, c := range []Command{
		view(backend.Root + "/" + at + "f.md"), replace(backend.Root+"/"+at+"f.md", "old", "new"),
		move(backend.Root+"/d/d", backend.Root+"/up"), move(backend.Root+"/up", backend.Root+"/over"), remove(backend.Root + "/over"),
	} {
		if r := s.Do(ctx, c); r.IsError {
			t.Errorf("%s: %.200s", c.Name, r.Content)
		}
	}
	if left, err := os.ReadDir(filepath.Join(d.Path())); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}
