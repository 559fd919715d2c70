package watch

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Options are the settings of a [Watcher]. The zero value is the default.
type Options struct {
	// Sync compares the places that may have changed, and records what did. Nil: nothing is compared. It is called by one
	// goroutine at a time, and again later for what it could not do.
	Sync func(ctx context.Context, h past.Hints) (past.Synced, error)
	// Warn gets the errors of failed comparisons. Nil: they are dropped. It may be called from any goroutine.
	Warn func(error)

	// pollAll polls all folders, and watches none (tests).
	pollAll bool
	// onModel is called by the owner when an event is in the model (benchmarks).
	onModel func(name string)
	// queue is how many events wait for the owner before the rest is answered
	// with a scan of everything; 0: 65,536 (tests).
	queue int
	// hooks replace the system in tests.
	hooks hooks
}

// State is how far the published tree can be trusted.
type State uint8

// The states of a watch.
const (
	Loading     State = iota // the first scan runs; snapshots grow
	Live                     // every change is seen
	Limited                  // changes can't be recorded; the note says why
	Unavailable              // the directory is gone or unreadable; the last snapshot is kept
	Polling                  // every change is seen, in some or all folders only after a while; the note says why
)

func (s State) String() string {
	return [...]string{"loading", "live", "limited", "unavailable", "polling"}[s]
}

// Update is everything since the last one that was taken.
type Update struct {
	Snapshot *memstore.Snapshot
	State    State
	Note     string // a sentence to the state, or empty
}

// Watcher follows one store. All methods are safe for concurrent use.
type Watcher struct {
	store   *memstore.Store
	options Options
	updates chan Update
	latest  atomic.Pointer[memstore.Snapshot]
	wishes  wishes
	cancel  context.CancelFunc
	done    chan struct{} // closed by run
	closing sync.Once
}

// Start begins to watch and returns immediately: scanning and copying run in the background,
// and the state is Loading until the first scan is complete. The watch ends with
// ctx or with Close.
func Start(ctx context.Context, store *memstore.Store, o Options) (*Watcher, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o.fill()
	ctx, cancel := context.WithCancel(ctx)
	w := &Watcher{
		store: store, options: o, updates: make(chan Update, 1), cancel: cancel, done: make(chan struct{}),
	}
	w.wishes.init()
	root := memstore.Info{Name: ".", Kind: memstore.KindDir}
	w.latest.Store(&memstore.Snapshot{Root: &memstore.Node{Info: root}})
	go w.run(ctx)
	return w, nil
}

// endWithin is how long the end of a watch waits for a system call that does not
// return, such as a read from a network file system whose server is gone.
const endWithin = time.Second

// run ends when the owner and all that it started have ended, or endWithin after ctx.
func (w *Watcher) run(ctx context.Context) {
	defer close(w.done)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		newOwner(ctx, w).run()
	}()
	<-ctx.Done() // only this stops the owner
	select {
	case <-ended:
	case <-time.After(endWithin):
	}
}

func (o *Options) fill() {
	if o.Warn == nil {
		o.Warn = func(error) {}
	}
	if o.queue == 0 {
		o.queue = 1 << 16
	}
	o.hooks.fill()
}

// Updates delivers what happened. A slow reader misses nothing that counts: each update has the whole
// state, and takes the place of one that was not taken. The channel is never closed; a reader that may
// outlive the watch selects on [Watcher.Done] too.
func (w *Watcher) Updates() <-chan Update { return w.updates }

// Done is closed when the watch has ended, at most a second after its context.
func (w *Watcher) Done() <-chan struct{} { return w.done }

// Snapshot returns the last published tree, never nil.
func (w *Watcher) Snapshot() *memstore.Snapshot { return w.latest.Load() }

// Rescan requests an immediate comparison of everything with the disk, for folders
// without events.
func (w *Watcher) Rescan() { w.wishes.rescan() }

// Close ends the watch and waits for everything it started, for a second at most: a goroutine
// whose system call does not return keeps running. It only reads, and ends with that
// call. It is safe to call Close more than once.
func (w *Watcher) Close() error {
	w.closing.Do(w.cancel)
	<-w.done
	return nil
}

// wishes are requests of callers to the owner. ring has room for one signal.
type wishes struct {
	mu      sync.Mutex
	touched []string // names that our own edits changed
	scan    bool
	ring    chan struct{}
}

func (q *wishes) init() { q.ring = make(chan struct{}, 1) }

func (q *wishes) rescan() {
	q.mu.Lock()
	q.scan = true
	q.mu.Unlock()
	signal(q.ring)
}

func (q *wishes) look(names []string) {
	q.mu.Lock()
	q.touched = append(q.touched, names...)
	q.mu.Unlock()
	signal(q.ring)
}

func (q *wishes) take() (touched []string, scan bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	touched, scan = q.touched, q.scan
	q.touched, q.scan = nil, false
	return touched, scan
}

// signal leaves a message in a channel of capacity 1 unless one is there.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
