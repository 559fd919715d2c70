package watch

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"sync"
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
	f.startOn(memstore.New(b, memstore.Options{}), o)
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
