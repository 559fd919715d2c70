package watch

import (
	"errors"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/fsnotify/fsnotify"

	"memcurator/memstore"
)

// takeAtOnce bounds how many events the owner handles before it turns to
// anything else.
const takeAtOnce = 1000

// event says that something happened to a name.
type event struct {
	name string
	op   fsnotify.Op
	from string // of a Create that is a rename inside the store: the old name, if the system reports it
}

// watches are the folders that fsnotify watches, those that must be polled instead
// or as well, and the pump that empties its channels. add, push and what the poll needs may be called
// from any goroutine, the rest belongs to the owner.
type watches struct {
	disk    onDisk
	fs      *fsnotify.Watcher // nil: nothing can be watched, without says why
	without deafness
	hooks   *hooks
	done    chan struct{} // closed when the pump has ended
	ring    chan struct{}

	// The two locks are never held together: the pump must get on while a watch is added.
	queueMu sync.Mutex
	queue   []event
	limit   int  // of queue
	lost    bool // events were dropped

	setMu  sync.Mutex
	set    watched                    // the folder "."
	names  map[memstore.FileID]string // of the folders that are watched
	deaf   map[string]deafness        // names of folders without events, or without all of them
	silent map[uint64]string          // by device: the kind of a file system that does not report, or ""
	kind   string                     // one of those kinds
}

// deafness is why a folder has no events.
type deafness uint8

const (
	byWish    deafness = iota + 1 // events are not wanted
	noWatcher                     // the system provides no watcher at all
	onSilent                      // it is watched, but its file system does not report everything
	refused                       // the system accepts no more watches
	failed                        // the system rejected its watch for another reason
	tooDeep                       // its path is too long for the system
	noPlace                       // the store is not a directory that could be watched
)

// watched is a folder in the tree of watches. It may be there for what is below it only.
type watched struct {
	on   bool
	id   memstore.FileID
	kids map[string]*watched
}

// openWatches begins to watch a store, or says why all its folders must be polled.
func openWatches(disk onDisk, o *Options) *watches {
	s := &watches{
		disk: disk, hooks: &o.hooks, done: make(chan struct{}), limit: o.queue, ring: make(chan struct{}, 1),
		names: make(map[memstore.FileID]string), deaf: make(map[string]deafness), silent: make(map[uint64]string),
	}
	switch {
	case o.pollAll:
		s.without = byWish
	case disk.root == "":
		s.without = noPlace
	default:
		var err error
		if s.fs, err = s.hooks.open(); err != nil {
			s.fs, s.without = nil, noWatcher
		}
	}
	if s.fs == nil {
		close(s.done)
		return s
	}
	go s.pump()
	return s
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
			if name, ok := s.disk.name(e.Name); ok {
				s.push(event{name, e.Op, s.renamedFrom(e)})
				if heard := s.hooks.heard; heard != nil {
					heard(name)
				}
			}
		case err, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			// Other errors come from watches whose folder has just gone: its
			// parent has reported that already.
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				s.overflow()
			}
		}
	}
}

// renamedFrom reads the old name out of an event's text: fsnotify has it, but in
// no exported field. Without it a rename is recognized by identity and stamps alone.
func (s *watches) renamedFrom(e fsnotify.Event) string {
	if !e.Op.Has(fsnotify.Create) {
		return ""
	}
	_, quoted, ok := strings.Cut(e.String(), strconv.Quote(e.Name)+" ← ")
	if !ok {
		return ""
	}
	old, err := strconv.Unquote(quoted)
	if err != nil {
		return ""
	}
	name, _ := s.disk.name(old)
	return name
}

func (s *watches) push(e event) {
	s.queueMu.Lock()
	if len(s.queue) < s.limit {
		s.queue = append(s.queue, e)
	} else {
		s.lost = true
	}
	s.queueMu.Unlock()
	signal(s.ring)
}

func (s *watches) overflow() {
	s.queueMu.Lock()
	s.lost = true
	s.queueMu.Unlock()
	signal(s.ring)
}

// take returns the next events; lost means that some were dropped, so that only
// a scan helps.
func (s *watches) take() (events []event, lost bool) {
	s.queueMu.Lock()
	defer s.queueMu.Unlock()
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
//
// A folder that was moved here may still be watched under its old name, because
// the event of the move is waiting. fsnotify would keep reporting it there, and drop it
// when the move is reported: so the old watch is removed first.
func (s *watches) add(name string, i memstore.Info) {
	s.setMu.Lock()
	defer s.setMu.Unlock()
	if old, ok := s.names[i.ID]; ok && old != name && i.ID != (memstore.FileID{}) {
		if n := s.set.find(old); n != nil {
			s.end(old, n)
		}
	}
	if s.fs == nil {
		s.deaf[name] = s.without
		return
	}
	path := s.disk.path(name)
	err := s.hooks.add(s.fs, path)
	switch {
	case err == nil:
		n := s.set.make(name)
		n.on, n.id = true, i.ID
		s.names[i.ID] = name
		delete(s.deaf, name)
		if s.isSilent(i.ID.Device, path) {
			s.deaf[name] = onSilent
		}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, fsnotify.ErrClosed):
		// Vanished again, unreadable, or no longer wanted: reading it will show which.
	case errors.Is(err, syscall.ENAMETOOLONG):
		s.deaf[name] = tooDeep
	case isLimit(err):
		s.deaf[name] = refused
	default:
		s.deaf[name] = failed
	}
}

// isLimit reports whether the system has run out of watches: inotify reports ENOSPC, kqueue,
// which opens a file for each, that too many files are open.
func isLimit(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// isSilent reports whether path is on a file system that does not report the changes of
// other machines. Each file system is checked once. setMu is held.
func (s *watches) isSilent(device uint64, path string) bool {
	kind, known := s.silent[device]
	if !known {
		kind = s.hooks.silent(path)
		s.silent[device] = kind
	}
	if kind != "" {
		s.kind = kind
	}
	return kind != ""
}

func (s *watches) has(name string) bool {
	s.setMu.Lock()
	defer s.setMu.Unlock()
	n := s.set.find(name)
	return n != nil && n.on || s.deaf[name] != 0
}

// remove removes the watches of name and of everything below it. When a folder
// moves, fsnotify keeps those below it under their old names.
func (s *watches) remove(name string) {
	s.setMu.Lock()
	defer s.setMu.Unlock()
	for other := range s.deaf {
		if other == name || inside(other, name) {
			delete(s.deaf, other)
		}
	}
	n := s.set.find(name)
	if n == nil {
		return
	}
	var all func(at string, n *watched)
	all = func(at string, n *watched) {
		s.end(at, n)
		for base, kid := range n.kids {
			all(join(at, base), kid)
		}
	}
	all(name, n)
	if parent := s.set.find(path.Dir(name)); parent != n {
		delete(parent.kids, path.Base(name))
	}
}

// end removes one watch. setMu is held.
func (s *watches) end(name string, n *watched) {
	if !n.on {
		return
	}
	n.on = false
	if s.names[n.id] == name {
		delete(s.names, n.id)
	}
	_ = s.fs.Remove(s.disk.path(name)) // gone already: as good
}

func (n *watched) find(name string) *watched {
	for rest := name; rest != "." && n != nil; {
		base := rest
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			base, rest = rest[:i], rest[i+1:]
		} else {
			rest = "."
		}
		n = n.kids[base]
	}
	return n
}

func (n *watched) make(name string) *watched {
	if name == "." {
		return n
	}
	parent := n.make(path.Dir(name))
	base := path.Base(name)
	kid := parent.kids[base]
	if kid == nil {
		kid = &watched{}
		if parent.kids == nil {
			parent.kids = make(map[string]*watched)
		}
		parent.kids[base] = kid
	}
	return kid
}

func (s *watches) close() {
	if s.fs != nil {
		_ = s.fs.Close()
	}
	<-s.done
}
