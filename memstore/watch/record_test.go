package watch

import (
	"context"
	"strings"
	"testing"

	"memcurator/memstore"
)

// recorded is a store whose handlers report to the watcher, as the UI sets it up.
func recorded(t *testing.T, files ...string) (*follower, *memstore.Store) {
	f := follow(t, Options{}, files...)
	s := memstore.New(f.store.Backend(), memstore.Options{
		Origin: memstore.Origin{Actor: memstore.Agent}, Recorders: []memstore.Recorder{f.j},
	})
	return f, s
}

func (f *follower) do(s *memstore.Store, c memstore.Command) {
	f.t.Helper()
	if r := s.Do(context.Background(), c); r.IsError {
		f.t.Fatalf("%s: %s", c.Name, r.Content)
	}
}

func TestOwnEditsAreToldOnce(t *testing.T) {
	t.Parallel()
	f, s := recorded(t, "a.md", "d/x.md", "d/sub/y.md")
	f.do(s, memstore.Command{Name: memstore.CmdCreate, Path: "/memories/new/n.md", FileText: "one\ntwo\n"})
	f.do(s, memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/new/n.md", OldStr: "two", NewStr: "2"})
	f.do(s, memstore.Command{Name: memstore.CmdInsert, Path: "/memories/new/n.md", InsertLine: 0, InsertText: "zero\n"})
	f.do(s, memstore.Command{Name: memstore.CmdRename, OldPath: "/memories/a.md", NewPath: "/memories/e/b.md"})
	f.do(s, memstore.Command{Name: memstore.CmdRename, OldPath: "/memories/d", NewPath: "/memories/k"})
	f.do(s, memstore.Command{Name: memstore.CmdDelete, Path: "/memories/k"})
	f.quiet()
	want := []string{
		"agent create new/n.md", "agent str_replace new/n.md", "agent insert new/n.md",
		"agent rename a.md -> e/b.md", "agent rename d -> k/",
	}
	if got := f.list(); !strings.HasPrefix(got, strings.Join(want, "\n")) {
		t.Fatalf("changes:\n%s\nwant first:\n%v", got, want)
	}
	for _, c := range f.changes {
		if c.Actor != memstore.Agent {
			t.Errorf("told as another program's: %s", line(c))
		}
	}
	f.check()
}
