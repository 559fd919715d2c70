package watch

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

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

// TestOwnEditAfterAnotherProgram: what another program wrote just before our
// handler is reported as its change, then ours.
func TestOwnEditAfterAnotherProgram(t *testing.T) {
	t.Parallel()
	f, s := recorded(t, "a.md")
	f.write("a.md", "theirs\n")
	f.do(s, memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: "theirs", NewStr: "ours"})
	f.expect("external edit a.md", "agent str_replace a.md")
	if got := f.content(f.changes[1].Before); got != "theirs\n" {
		t.Errorf("before our edit: %q", got)
	}
	f.checkReplay()
}

func TestOwnEditBeforeAnotherProgram(t *testing.T) {
	t.Parallel()
	f, s := recorded(t, "a.md")
	f.do(s, memstore.Command{Name: memstore.CmdCreate, Path: "/memories/n.md", FileText: "ours\n"})
	f.write("n.md", "theirs\n")
	f.expect("agent create n.md", "external edit n.md")
	f.checkReplay()
}

// TestFailedEditIsForgotten also shows that a change by another program during
// an edit that fails is not lost.
func TestFailedEditIsForgotten(t *testing.T) {
	t.Parallel()
	f := follow(t, Options{}, "a.md")
	e := &memstore.Edit{Command: memstore.Command{Name: memstore.CmdCreate}, Changes: []memstore.Change{
		{Kind: memstore.KindFile, Path: "/memories/n.md", After: memstore.NewContent([]byte("never"))},
	}}
	end, err := f.j.Begin(context.Background(), e)
	must(t, err)
	f.write("n.md", "theirs")
	end(errors.New("no"))
	f.expect("external create n.md")
	f.checkReplay()
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

// TestRecorderWithoutEvents: a backend that is not a directory has no events, and
// still shows what our handlers do.
func TestRecorderWithoutEvents(t *testing.T) {
	t.Parallel()
	backend := memstore.NewMemory()
	f := &follower{t: t, dir: t.TempDir()}
	plain := memstore.New(backend, memstore.Options{})
	f.do(plain, memstore.Command{Name: memstore.CmdCreate, Path: "/memories/d/old.md", FileText: "old"})
	f.startOn(plain, Options{poll: pollNever})
	if f.last.State != Limited || f.last.Note == "" {
		t.Errorf("state %v, note %q", f.last.State, f.last.Note)
	}
	s := memstore.New(backend, memstore.Options{Recorders: []memstore.Recorder{f.j, f.w}})
	f.do(s, memstore.Command{Name: memstore.CmdCreate, Path: "/memories/p/n.md", FileText: "new"})
	f.do(s, memstore.Command{Name: memstore.CmdRename, OldPath: "/memories/d", NewPath: "/memories/e"})
	f.until("both edits and the tree", func() bool {
		return len(f.changes) == 2 && f.last.Snapshot.Find("/memories/e/old.md") != nil
	})
	f.checkModel()
	if c := f.changes[0]; f.content(c.After) != "new" {
		t.Error(line(c))
	}
}

// TestCommandsOfOtherPrograms: an edit by another program is an edit; what makes, moves or removes a file has the command's name.
func TestCommandsOfOtherPrograms(t *testing.T) {
	t.Parallel()
	f, s := recorded(t, "a.md")
	was := f.text("a.md")
	f.write("a.md", was+"added\n")
	if c := f.take(); c.Command != "edit" {
		t.Error(line(c))
	}
	f.write("a.md", was+"changed\n")
	if c := f.take(); c.Command != "edit" {
		t.Error(line(c))
	}
	f.rename("a.md", "b.md")
	if c := f.take(); c.Command != memstore.CmdRename {
		t.Error(line(c))
	}
	f.do(s, memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/b.md", OldStr: "changed", NewStr: "ours"})
	if c := f.take(); c.Command != memstore.CmdStrReplace || c.Actor != memstore.Agent {
		t.Error(line(c))
	}
}

// A folder that our handler makes for a file is not told as another program's, however
// long the write of the file takes after it.
func TestFolderOfASlowOwnCreateIsOurs(t *testing.T) {
	t.Parallel()
	f, _ := recorded(t, "a.md")
	edit := &memstore.Edit{
		Command: memstore.Command{Name: memstore.CmdCreate, Path: "/memories/new/n.md"},
		Origin:  memstore.Origin{Actor: memstore.Agent}, Time: time.Now(),
		Changes: []memstore.Change{{Kind: memstore.KindFile, Path: "/memories/new/n.md", After: memstore.NewContent([]byte("x\n"))}},
	}
	end, err := f.j.Begin(t.Context(), edit)
	if err != nil {
		t.Fatal(err)
	}
	must(t, os.Mkdir(f.path("new"), 0o700))
	time.Sleep(3 * settleWithin) // the folder has settled long ago when the file comes
	f.write("new/n.md", "x\n")
	end(nil)
	f.quiet()
	f.expect("agent create new/n.md")
}
