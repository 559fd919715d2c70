package watch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"memcurator/memstore"
)

func (f *follower) state(s State) func() bool { return func() bool { return f.last.State == s } }

// TestVanishAndReturn moves the directory away and back: nothing was deleted,
// what changed meanwhile is reported.
func TestVanishAndReturn(t *testing.T) {
	t.Parallel()
	f := follow(t, Options{}, "a.md", "b.md", "d/x.md")
	away := f.dir + "-away"
	must(t, os.Rename(f.dir, away))
	f.until("unavailable", f.state(Unavailable))
	if f.last.Snapshot.Find("/memories/d/x.md") == nil || f.last.Note == "" {
		t.Error("the last snapshot is kept, with a note")
	}
	must(t, os.WriteFile(filepath.Join(away, "a.md"), []byte("changed while away"), 0o600))
	must(t, os.Remove(filepath.Join(away, "b.md")))
	must(t, os.Rename(away, f.dir))
	f.until("live again", f.state(Live))
	f.expect("external delete b.md", "external edit a.md")
	f.check()
}

// TestDeletedAndRecreated puts a new directory at the path: an empty one is a mount point
// without its disk, one with files is compared.
func TestDeletedAndRecreated(t *testing.T) {
	t.Parallel()
	f := follow(t, Options{}, "a.md", "d/x.md")
	text := f.text("a.md")
	must(t, os.Rename(f.dir, f.dir+"-away"))
	f.until("unavailable", f.state(Unavailable))
	mkdir(t, f.dir)
	fill := f.dir + "-fill"
	mkdir(t, fill)
	must(t, os.WriteFile(filepath.Join(fill, "a.md"), []byte(text), 0o600))
	f.quietlyUnavailable()
	must(t, os.Remove(f.dir))
	must(t, os.Rename(fill, f.dir))
	f.until("live again", f.state(Live))
	f.expect("external delete d/x.md", "external delete d/")
	f.check()
	f.write("later.md", "seen in the new directory")
	f.expect("external delete d/x.md", "external delete d/", "external create later.md")
}

// quietlyUnavailable lets one poll pass.
func (f *follower) quietlyUnavailable() {
	f.t.Helper()
	if len(f.changes) != 0 || f.last.State != Unavailable {
		f.t.Errorf("state %v, told:\n%s", f.last.State, f.list())
	}
}

func TestWholeDirectoryRemoved(t *testing.T) {
	t.Parallel()
	f := follow(t, Options{}, "a.md", "b.md", "d/x.md")
	f.held(func() { f.remove("") }) // or what goes first is reported as deleted on its own
	f.until("unavailable", f.state(Unavailable))
	f.quietlyUnavailable()
	if f.last.Snapshot.Find("/memories/d/x.md") == nil {
		t.Error("the last snapshot is kept")
	}
}

// broken is a backend in which some folders cannot be read, regardless of who runs the test.
type broken struct {
	*memstore.Dir
	mu     sync.Mutex
	closed map[string]bool
}

func (b *broken) set(name string, closed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed[name] = closed
}

func (b *broken) denied(name string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ; ; name = path.Dir(name) {
		if b.closed[name] {
			return fmt.Errorf("%s: %w", name, memstore.ErrPermission)
		}
		if name == "." {
			return nil
		}
	}
}

func (b *broken) ReadDir(name string) ([]memstore.Info, error) {
	if err := b.denied(name); err != nil {
		return nil, err
	}
	return b.Dir.ReadDir(name)
}

func (b *broken) Lstat(name string) (memstore.Info, error) {
	if name != "." {
		if err := b.denied(path.Dir(name)); err != nil {
			return memstore.Info{}, err
		}
	}
	return b.Dir.Lstat(name)
}

func followBroken(t *testing.T, o Options, files ...string) (*follower, *broken) {
	f := &follower{t: t, dir: filepath.Join(t.TempDir(), "memories")}
	mkdir(t, f.dir)
	for _, name := range files {
		f.write(name, "content of "+name)
	}
	d, err := memstore.OpenDir(f.dir, memstore.DirOptions{})
	must(t, err)
	b := &broken{Dir: d, closed: map[string]bool{}}
	f.startOn(memstore.New(b, memstore.Options{Workers: 2}), o)
	return f, b
}

// TestUnreadableFolder closes a folder: its known content stays, nothing is reported as deleted.
func TestUnreadableFolder(t *testing.T) {
	t.Parallel()
	f, b := followBroken(t, Options{}, "a.md", "d/x.md", "d/sub/y.md")
	b.set("d", true)
	must(t, os.Chmod(f.path("d"), 0o755)) // the event of a permission change
	f.until("the problem", func() bool {
		n := f.last.Snapshot.Find("/memories/d")
		return n != nil && n.Problem != nil
	})
	if f.last.Snapshot.Find("/memories/d/sub/y.md") == nil || f.last.Snapshot.Root.Files != 3 {
		t.Error("known children are kept")
	}
	f.w.Rescan()
	f.expect()
	b.set("d", false)
	must(t, os.Chmod(f.path("d"), 0o700))
	f.write("d/x.md", "changed")
	f.expect("external edit d/x.md")
	f.until("the problem to end", func() bool { return f.last.Snapshot.Find("/memories/d").Problem == nil })
	f.check()
}

// TestRandomOperations lets several programs work on a store, our handlers
// among them, and replays what was told.
func TestRandomOperations(t *testing.T) {
	t.Parallel()
	var sys full
	sys.is.Store(true)
	for i, options := range []Options{{}, {system: system{marks: 40}} /* loses events */, polled(), sys.below("memories/a")} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			seed := uint64(i)
			f := follow(t, options, "a.md", "b.md", "d/x.md", "d/sub/y.md", "e/z.md")
			s := memstore.New(f.store.Backend(), memstore.Options{Recorders: []memstore.Recorder{f.j, f.w}})
			var done atomic.Bool
			var group sync.WaitGroup
			group.Go(func() { randomOperations(f.dir, rand.New(rand.NewPCG(seed, 1)), 600); done.Store(true) })
			group.Go(func() { randomCommands(s, rand.New(rand.NewPCG(seed, 2)), &done) })
			f.until("the operations", done.Load)
			group.Wait()
			// A comparison that met one of our own edits asks for its paths again. Where it ends after the first marker was made, they
			// settle after that marker, but before a second one.
			f.quiet()
			f.check()
		})
	}
}

// randomOperations works on few names, so that they meet often. Failures are part of it.
func randomOperations(dir string, r *rand.Rand, n int) {
	name := func() string {
		p := dir
		for range 1 + r.IntN(3) {
			p = filepath.Join(p, string(rune('a'+r.IntN(5))))
		}
		return p
	}
	for i := range n {
		p := name()
		switch r.IntN(10) {
		case 0, 1, 2:
			_ = os.WriteFile(p, fmt.Appendf(nil, "text %d\n", r.IntN(50)), 0o600)
		case 3:
			temp := filepath.Join(filepath.Dir(p), fmt.Sprintf(".tmp-%d-%x", i, r.Uint32()))
			if os.WriteFile(temp, fmt.Appendf(nil, "temp %d\n", i), 0o600) == nil && os.Rename(temp, p) != nil {
				_ = os.Remove(temp)
			}
		case 4:
			_ = os.MkdirAll(p, 0o700)
		case 5:
			_ = os.RemoveAll(p)
		case 6, 7:
			_ = os.Rename(p, name())
		case 8:
			_ = os.Symlink("a", p)
		case 9:
			_ = os.WriteFile(p, nil, 0o600)
		}
		if r.IntN(20) == 0 {
			runtime.Gosched()
		}
	}
}

func randomCommands(s *memstore.Store, r *rand.Rand, done *atomic.Bool) {
	name := func() string {
		p := memstore.Root
		for range 1 + r.IntN(2) {
			p += "/" + string(rune('a'+r.IntN(5)))
		}
		return p
	}
	for !done.Load() {
		var c memstore.Command
		switch r.IntN(4) {
		case 0:
			c = memstore.Command{Name: memstore.CmdCreate, Path: name(), FileText: fmt.Sprintf("agent %d\n", r.IntN(50))}
		case 1:
			c = memstore.Command{Name: memstore.CmdInsert, Path: name(), InsertText: "line\n"}
		case 2:
			c = memstore.Command{Name: memstore.CmdRename, OldPath: name(), NewPath: name()}
		case 3:
			c = memstore.Command{Name: memstore.CmdDelete, Path: name()}
		}
		s.Do(context.Background(), c)
	}
}
