package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// takeAtOnce bounds how many events the owner handles before it looks at
// anything else.
const takeAtOnce = 1000

// event says that something happened to a name.
type event struct {
	name string
	op   fsnotify.Op
}

// watches are the folders that fsnotify watches, and the pump that empties its
// channels. add may be called from any goroutine, the rest belongs to the owner.
type watches struct {
	root string // disk path of the store
	fs   *fsnotify.Watcher
	done chan struct{} // closed when the pump has ended

	mu      sync.Mutex
	set     map[string]bool // names of the folders that are watched
	refused map[string]bool // names of those that the system did not take
	queue   []event
	limit   int  // of queue
	lost    bool // events were dropped
	ring    chan struct{}
}

func openWatches(root string, limit int) (*watches, error) {
	f, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	s := &watches{
		root: root, fs: f, done: make(chan struct{}), limit: limit, ring: make(chan struct{}, 1),
		set: make(map[string]bool), refused: make(map[string]bool),
	}
	go s.pump()
	return s, nil
}

// pump moves events into the queue. It must never wait for the owner: fsnotify
// holds its lock while it hands out some errors, and the owner needs that lock to
// add and remove watches.
func (s *watches) pump() {
	defer close(s.done)
	events, errs := s.fs.Events, s.fs.Errors
	for events != nil || errs != nil {
		select {
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			if name, ok := nameOfDisk(s.root, e.Name); ok {
				s.push(event{name, e.Op})
			}
		case err, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			// Other errors come from watches whose folder has just gone: its
			// parent has told that already.
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				s.overflow()
			}
		}
	}
}

func (s *watches) push(e event) {
	s.mu.Lock()
	if len(s.queue) < s.limit {
		s.queue = append(s.queue, e)
	} else {
		s.lost = true
	}
	s.mu.Unlock()
	signal(s.ring)
}

func (s *watches) overflow() {
	s.mu.Lock()
	s.lost = true
	s.mu.Unlock()
	signal(s.ring)
}

// take returns the next events; lost says that some were dropped, so that only
// a scan helps.
func (s *watches) take() (events []event, lost bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost {
		return nil, true
	}
	if len(s.queue) <= takeAtOnce {
		events, s.queue = s.queue, nil
		return events, false
	}
	events = s.queue[:takeAtOnce:takeAtOnce]
	s.queue = s.queue[takeAtOnce:]
	signal(s.ring)
	return events, false
}

// add watches the folder called name. It is called before the folder is read,
// so that nothing that happens after the reading is missed.
func (s *watches) add(name string) {
	err := s.fs.Add(diskPath(s.root, name))
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		s.set[name] = true
		delete(s.refused, name)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, fsnotify.ErrClosed):
		// Vanished again, unreadable, or no longer wanted: the reading tells.
	default:
		s.refused[name] = true
	}
}

func (s *watches) has(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set[name] || s.refused[name]
}

// remove ends the watch of name. fsnotify keeps the watches of folders below one
// that was moved under their old names, so each must be removed before it is
// added under the new one.
func (s *watches) remove(name string) {
	s.mu.Lock()
	watched := s.set[name]
	delete(s.set, name)
	delete(s.refused, name)
	s.mu.Unlock()
	if watched {
		_ = s.fs.Remove(diskPath(s.root, name)) // gone already: as good
	}
}

// limits says which folders are not watched, "" when all are.
func (s *watches) limits() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := ""
	for name := range s.refused {
		if first == "" || name < first {
			first = name
		}
	}
	switch len(s.refused) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("The system's limit of watched folders is reached: changes in %s are not seen.", agentPath(first))
	}
	return fmt.Sprintf("The system's limit of watched folders is reached: changes in %d folders are not seen, %s among them.",
		len(s.refused), agentPath(first))
}

func (s *watches) close() {
	_ = s.fs.Close()
	<-s.done
}
