package watch

import (
	"context"
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
	for i, w := range want {
		if i >= len(f.changes) || line(f.changes[i]) != withRoot(w) {
			t.Fatalf("changes:\n%s\nwant first:\n%v", f.list(), want)
		}
	}
	for _, c := range f.changes {
		if c.Actor != memstore.Agent {
			t.Errorf("told as another program's: %s", line(c))
		}
	}
	edit := f.changes[1]
	if f.content(edit.Before) != "one\ntwo\n" || f.content(edit.After) != "one\n2\n" || edit.Added != 1 || edit.Removed != 1 {
		t.Errorf("%q %q +%d -%d", f.content(edit.Before), f.content(edit.After), edit.Added, edit.Removed)
	}
	f.checkReplay()
	f.checkModel()
}

// withRoot puts the root before the paths of a line.
func withRoot(s string) string {
	out := ""
	field := 0
	for i, c := range s {
		if c == ' ' {
			field++
		}
		out += string(c)
		if c == ' ' && field >= 2 && s[i+1] != '-' {
			out += memstore.Root + "/"
		}
	}
	return out
}

// TestOpenEditHoldsEventsBack: between Begin and end the disk may show the
// edit already; it must not be told as another program's.
func TestOpenEditHoldsEventsBack(t *testing.T) {
	t.Parallel()
	f := follow(t, Options{}, "a.md")
	before := f.text("a.md")
	e := &memstore.Edit{Command: memstore.Command{Name: memstore.CmdInsert}, Changes: []memstore.Change{
		{Kind: memstore.KindFile, Path: "/memories/a.md", Before: memstore.NewContent([]byte(before)),
			After: memstore.NewContent([]byte("x" + before))},
	}}
	end, err := f.j.Begin(context.Background(), e)
	must(t, err)
	f.write("a.md", "x"+before)
	f.quiet() // far longer than a file takes to settle
	if len(f.changes) != 0 {
		t.Errorf("told before it ended:\n%s", f.list())
	}
	end(nil)
	end(nil) // a second call means nothing
	f.until("our edit", func() bool { return len(f.changes) > 0 })
	f.expect("agent insert a.md")
	f.checkReplay()
}
