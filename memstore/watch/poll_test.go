package watch

import (
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// full is a system whose watches have run out below some folders.
type full struct{ is atomic.Bool }

func (s *full) below(dir string) Options {
	return Options{system: system{pollEach: time.Millisecond, add: func(path string) error {
		if s.is.Load() && strings.Contains(path, string(filepath.Separator)+dir) {
			return syscall.ENOSPC
		}
		return nil
	}}}
}

// TestWatchesRunOut: what the system does not watch is polled; when it can be watched again it is.
func TestWatchesRunOut(t *testing.T) {
	t.Parallel()
	var sys full
	sys.is.Store(true)
	f := follow(t, sys.below("d"), "a.md", "d/x.md", "d/sub/y.md")
	if f.last.State != Polling || !strings.Contains(f.last.Note, "watches no more folders. Edits by other programs show up within ") {
		t.Errorf("state %v, note %q", f.last.State, f.last.Note)
	}
	f.write("d/sub/y.md", "other")
	f.write("d/new/n.md", "new")
	f.until("both changes", func() bool { return len(f.changes) == 2 })
	f.remove("d/sub")
	f.until("the removals", func() bool { return len(f.changes) == 4 })
	f.check()
	sys.is.Store(false)
	f.until("watches", f.state(Live))
	f.quiet() // the last comparison of everything has ended
	f.changes = nil
	f.atOnce(func() { f.write("d/new/n.md", "and on") }) // not empty in between
	f.expect("external edit d/new/n.md")
	f.check()
}

// A poll that finds no file any more is no proof that someone deleted them: the record asks first.
func TestPollOfAnEmptiedStore(t *testing.T) {
	t.Parallel()
	f := follow(t, polled(), "a.md", "d/b.md")
	f.until("the files", func() bool { return f.last.Snapshot != nil && f.last.Snapshot.Root.Files == 2 })
	f.remove("a.md")
	f.remove("d/b.md")
	for range 20 { // polls and comparisons follow on each other
		time.Sleep(20 * time.Millisecond)
		f.w.Rescan()
	}
	if n, err := f.j.Emptied(t.Context()); n == 0 || err != nil {
		t.Errorf("the last files count as deleted: %v", err)
	}
}
