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
	f.write("d/new/n.md", "and on")
	f.expect("external edit d/new/n.md")
	f.check()
}
