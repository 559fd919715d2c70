package watch

import (
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// hooks are what the watcher asks of the system about its watches. Tests put
// limits and file systems there that the machine does not have; everybody else leaves them empty.
type hooks struct {
	open      func() (*fsnotify.Watcher, error)
	add       func(f *fsnotify.Watcher, path string) error
	silent    func(path string) string // the kind of file system if it does not report changes, else ""
	pollLeast time.Duration            // the shortest time between two polls
	heard     func(name string)        // an event about name waits for the owner; nil: nobody wants to know
	turn      sync.Locker              // held while the owner works and while a poll looks: who holds it does several things as one
}

// noTurn is the turn of everybody else.
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
	if h.pollLeast == 0 {
		h.pollLeast = pollLeast
	}
}
