// Package watch reports where a store may have changed, and how far the report can be trusted. It alone imports fsnotify.
//
// Events never count as changes: they only say which folders to look at. Once it has been quiet for a moment, these folders are
// listed again ([memstore.Store.Scan], which keeps the others). The new tree goes to the reader of [Watcher.Updates], and to
// [Options].Sync, which compares it with the record. So lost or doubled events do no harm, and a write by a temporary file and a rename is
// one edit. Where names may be missing or wrong (events were lost, a folder moved, a file system has none), everything is listed, with new
// watches. The more a look or a comparison costs, the rarer they are.
//
// One goroutine (loop.go) holds the tree. Another one empties fsnotify's channels into a set of names, one runs the comparison.
package watch

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Options are the settings of a [Watcher]. The zero value is the default.
type Options struct {
	// Sync compares the tree with the record, and records what differs. Nil: nothing is compared. It is called by one
	// goroutine at a time, and again later for what it could not do.
	Sync func(ctx context.Context, h past.Hints) (made int, err error)
	// Warn gets the errors of failed comparisons. Nil: they are dropped. It may be called from any goroutine.
	Warn func(error)

	system system
}

// system is what tests replace.
type system struct {
	add      func(path string) error // called before a folder is watched
	pollEach time.Duration           // the shortest time between two polls
	failed   time.Duration           // the wait after a comparison that fails
	marks    int                     // with more names than this everything is looked at
}

// State is how far the published tree can be trusted.
type State uint8

// The states of a watch.
const (
	Loading     State = iota // the first scan runs, and the snapshot has the entries of the root alone
	Live                     // every change is seen
	Limited                  // changes can't be recorded; the note says why
	Unavailable              // the directory is gone, emptied or unreadable; the last snapshot is kept
	Polling                  // every change is seen, in some or all folders only after a while; the note says why
)

// Update is everything since the last one that was taken.
type Update struct {
	Snapshot *memstore.Snapshot
	State    State
	Note     string // a sentence to the state, or empty
}

// Watcher follows one store. All methods are safe for concurrent use.
type Watcher struct {
	updates chan Update
	marks   marks
	behind  atomic.Int64
	turn    sync.Mutex // held while the loop works: a test that holds it makes several changes appear as one
	cancel  context.CancelFunc
	done    chan struct{}
}

// Behind is how many files a comparison under way has found to differ and not recorded yet.
func (w *Watcher) Behind() int { return int(w.behind.Load()) }

// Start begins to watch and returns immediately; the state is Loading until the first scan is complete. The watch ends with ctx or
// with Close.
func Start(ctx context.Context, store *memstore.Store, o Options) (*Watcher, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o.fill()
	ctx, cancel := context.WithCancel(ctx)
	w := &Watcher{updates: make(chan Update, 1), cancel: cancel, done: make(chan struct{})}
	w.marks = marks{ring: make(chan struct{}, 1), most: o.system.marks, names: map[string]bool{}}
	l := newLoop(ctx, w, store, o)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		l.run()
	}()
	go func() {
		defer close(w.done)
		<-ctx.Done() // only this stops the loop
		select {
		case <-ended:
		case <-time.After(endWithin):
		}
	}()
	return w, nil
}

// endWithin is how long the end of a watch waits for a system call that doesn't return, such as a read from a network file system whose
// server is gone.
const endWithin = time.Second

func (o *Options) fill() {
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
	s := &o.system
	if s.add == nil {
		s.add = func(string) error { return nil }
	}
	s.pollEach = cmp.Or(s.pollEach, pollEach)
	s.failed = cmp.Or(s.failed, failedAfter)
	s.marks = cmp.Or(s.marks, 1000)
}

// Updates delivers what happened. A slow reader misses nothing that counts: each update has the whole state, and takes the place of one
// that was not taken. The channel is never closed; a reader that may outlive the watch selects on [Watcher.Done] too.
func (w *Watcher) Updates() <-chan Update { return w.updates }

// Done is closed when the watch has ended, at most a second after its context.
func (w *Watcher) Done() <-chan struct{} { return w.done }

// Rescan has everything compared with the disk at once, for folders without events.
func (w *Watcher) Rescan() { w.marks.add(true, true) }

// Begin implements [memstore.Recorder]. It records nothing: when one of our own edits has ended, its names are looked at at once, so that
// the tree shows the edit without a delay, even where the system reports none.
func (w *Watcher) Begin(_ context.Context, e *memstore.Edit) (end func(error), err error) {
	var names []string
	for i := range e.Changes {
		names = append(names, memstore.BackendName(e.Changes[i].Path))
		if old := e.Changes[i].OldPath; old != "" {
			names = append(names, memstore.BackendName(old))
		}
	}
	return func(error) { w.marks.add(true, false, names...) }, nil
}

// Close ends the watch and waits for everything it started, for a second at most: a goroutine whose system call doesn't return keeps
// running. It only reads, and ends with that call. It is safe to call Close more than once.
func (w *Watcher) Close() error {
	w.cancel()
	<-w.done
	return nil
}

// marks are the names at which something may have happened since the last look.
type marks struct {
	ring chan struct{} // has room for one signal
	most int

	mu          sync.Mutex
	names       map[string]bool
	all         bool // look at everything: events may be lost
	urgent      bool // don't wait for quiet
	first, last time.Time
}

// add has names looked at, or everything.
func (m *marks) add(urgent, all bool, names ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range names {
		m.names[name] = true
	}
	m.urgent = m.urgent || urgent
	if m.all = m.all || all || len(m.names) > m.most; m.all {
		clear(m.names)
	}
	m.last = time.Now()
	if m.first.IsZero() {
		m.first = m.last
	}
	signal(m.ring)
}

// due is when to look; zero: nothing is marked.
func (m *marks) due() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.urgent || m.first.IsZero() {
		return m.first
	}
	quiet, most := m.last.Add(quietFor), m.first.Add(quietWithin)
	if most.Before(quiet) {
		return most
	}
	return quiet
}

// take returns what is marked, and marks nothing.
func (m *marks) take() (names map[string]bool, all bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	names, all = m.names, m.all
	m.names, m.all, m.urgent, m.first = map[string]bool{}, false, false, time.Time{}
	return names, all
}

// signal leaves a message in a channel of capacity 1 unless one is there.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
