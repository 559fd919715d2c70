package watch

import (
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// hooks replace the system calls about watches. Tests use them to simulate limits and file systems
// that the machine does not have; all other callers leave them empty.
type hooks struct {
	open        func() (*fsnotify.Watcher, error)
	add         func(f *fsnotify.Watcher, path string) error
	silent      func(path string) string // the kind of file system if it does not report changes, else ""
	pollLeast   time.Duration            // the shortest time between two polls
	failedAfter time.Duration            // the wait after the first comparison that fails
	heard       func(name string)        // called when an event about name is queued for the owner; may be nil
	// turn is held while the owner works and while a poll runs: a test that holds it makes several changes appear as one.
	turn sync.Locker
}

// noTurn is the turn outside of tests.
type noTurn struct{}

func (noTurn) Lock()   {}
func (noTurn) Unlock() {}

func (h *hooks) fill() {
	if h.open == nil {
		h.open = fsnotify.NewWatcher
	}
	if h.add == nil {
		h.add = func(f *fsnotify.Watcher, path string) error { return f.Add(path) }
	}
	if h.silent == nil {
		h.silent = silentKind
	}
	if h.turn == nil {
		h.turn = noTurn{}
	}
	if h.failedAfter == 0 {
		h.failedAfter = failedAfter
	}
	if h.pollLeast == 0 {
		h.pollLeast = pollLeast
	}
}
