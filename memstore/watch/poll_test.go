package watch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// always polls as quickly as polls follow on each other.
func always() Options {
	return Options{system: system{add: func(string) error { return syscall.ENOSPC }, pollEach: time.Millisecond}}
}

// full is a system whose watches have run out below some folders.
type full struct{ is atomic.Bool }

func (s *full) add(below string) func(string) error {
	return func(path string) error {
		if s.is.Load() && strings.Contains(path, string(filepath.Separator)+below) {
			return syscall.ENOSPC
		}
		return nil
	}
}

// TestPolling changes a store without events the way programs do, each in one
// step: a poll may come between two.
func TestPolling(t *testing.T) {
	t.Parallel()
	files := []string{"a.md", "b.md", "d/x.md", "d/y.md", "d/sub/z.md", "empty/"}
	tests := []struct {
		name string
		do   func(f *follower)
		want []string
	}{
		{"nothing", func(*follower) {}, nil},
		{"new file", func(f *follower) { f.write("n.md", "new") }, []string{"external create n.md"}},
		{"a folder moved in", func(f *follower) { f.moveIn("p", "q/r/n.md") }, []string{"external create p/q/r/n.md"}},
		{"append", func(f *follower) { f.write("d/sub/z.md", f.text("d/sub/z.md")+"more\n") }, []string{"external edit d/sub/z.md"}},
		{"touch", func(f *follower) { must(f.t, os.Chtimes(f.path("a.md"), time.Now(), time.Now())) }, nil},
		{"chmod", func(f *follower) { must(f.t, os.Chmod(f.path("a.md"), 0o640)) }, nil},
		{"delete", func(f *follower) { f.remove("d/x.md") }, []string{"external delete d/x.md"}},
		{"rename", func(f *follower) { f.rename("d/x.md", "d/n.md") }, []string{"external rename d/x.md -> d/n.md"}},
		{"rename a folder", func(f *follower) { f.rename("d", "e") }, []string{"external rename d -> e/"}},
		{"a folder moved out", func(f *follower) { f.rename("d", "../d") }, []string{
			"external delete d/sub/z.md", "external delete d/sub/", "external delete d/x.md", "external delete d/y.md", "external delete d/",
		}},
		{"an empty folder", func(f *follower) { f.write("k/", "") }, []string{"external create k/"}},
		{"a folder becomes a file", func(f *follower) { f.remove("empty"); f.write("empty", "x") },
			[]string{"external delete empty/", "external create empty"}},
		{"a stale temporary file", func(f *follower) { f.write(".tmp-1-a", "x"); f.remove(".tmp-1-a") }, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := doneAtOnce(t, always(), files, test.do)
			if f.last.State != Polling || !strings.Contains(f.last.Note, "The system watches no more folders") {
				t.Errorf("state %v, note %q", f.last.State, f.last.Note)
			}
			f.expect(test.want...)
			f.checkReplay()
			f.checkModel()
		})
	}
}

// moveIn makes a folder with one file in it in one step.
func (f *follower) moveIn(dir, file string) {
	f.t.Helper()
	f.write("../aside/"+file, "new")
	f.rename("../aside", dir)
}

// TestWatchesRunOut: what the system does not watch is polled, and only that;
// when it can be watched again it is.
func TestWatchesRunOut(t *testing.T) {
	t.Parallel()
	var sys full
	sys.is.Store(true)
	o := Options{system: system{add: sys.add("d"), pollEach: time.Millisecond}}
	f := follow(t, o, "a.md", "d/x.md", "d/sub/y.md")
	if f.last.State != Polling || !strings.Contains(f.last.Note, "watches no more folders. Edits by other programs show up within ") {
		t.Errorf("state %v, note %q", f.last.State, f.last.Note)
	}
	f.write("d/sub/y.md", "other")
	f.moveIn("d/new", "n.md")
	f.until("both changes", func() bool { return len(f.changes) == 2 })
	f.remove("d/sub")
	f.until("the end of a folder", func() bool { return len(f.changes) == 4 })
	f.checkReplay()
	f.checkModel()
	sys.is.Store(false)
	f.until("watches", f.state(Live))
	f.write("d/new/n.md", "and on")
	f.expect(append(lines(f.changes), "external edit d/new/n.md")...)
	f.checkModel()
}

func lines(changes []past.Revision) (out []string) {
	for _, c := range changes {
		out = append(out, strings.ReplaceAll(line(c), memstore.Root+"/", ""))
	}
	return out
}

// TestRandomOperationsPolled replays what was told of a store that is polled as a
// whole or in part.
func TestRandomOperationsPolled(t *testing.T) {
	t.Parallel()
	var sys full
	sys.is.Store(true)
	for i, o := range []Options{always(), {system: system{add: sys.add("memories/a"), pollEach: time.Millisecond}}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			f := follow(t, o, "a/x.md", "b.md", "d/x.md")
			s := memstore.New(f.store.Backend(), memstore.Options{Recorders: []memstore.Recorder{f.j, f.w}})
			var done atomic.Bool
			var group sync.WaitGroup
			r := uint64(i)
			group.Go(func() { randomOperations(f.dir, rand.New(rand.NewPCG(r, 1)), 400); done.Store(true) })
			group.Go(func() { randomCommands(s, rand.New(rand.NewPCG(r, 2)), &done) })
			f.until("the operations", done.Load)
			group.Wait()
			f.checkModel() // what is not watched may come after the marker
			f.quiet()
			f.checkReplay()
			f.checkModel()
		})
	}
}
