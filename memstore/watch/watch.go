package watch

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"memcurator/memstore"
)

// Options are the settings of a [Watcher]. The zero value is the default.
type Options struct {
	// MaxFile is the largest file whose bytes are kept; 0: 4 MiB.
	MaxFile int64
	// MaxTotal is how much is kept before copies that belong to no change are
	// given up, oldest first; 0: 256 MiB.
	MaxTotal int64
	// MaxChanges is how much the changes themselves may hold before the bytes of
	// the oldest are given up; 0: 1 GiB.
	MaxChanges int64
	// TempDir is where the copies are kept; "": the system's folder for temporary files.
	TempDir string
	// Now is the clock for changes; nil: time.Now.
	Now func() time.Time
	// Poll says when folders are compared again and again.
	Poll PollMode
	// Known is asked about changes that nobody here has made, before they are told: where another
	// process of ours did, it sets Actor and Command. It is called by the goroutine that follows
	// the store, which waits for it; ctx ends with the watch.
	Known func(ctx context.Context, changes []*Change)

	// onModel is called by the owner when the model has followed an event (benchmarks).
	onModel func(name string)
	// queue is how many events wait for the owner before the rest is answered
	// with a scan of everything; 0: 65,536 (tests).
	queue int
	// hooks stand in for the system (tests).
	hooks hooks
}

// PollMode says when folders are compared with what is known of them again and
// again (poll.go), instead of waiting for events alone.
type PollMode uint8

// The modes.
const (
	PollAuto   PollMode = iota // where watches run out or the file system does not report
	PollAlways                 // everywhere, and nothing is watched
	PollNever                  // nowhere: what gives no events is not seen
)

// State says how far what is shown can be trusted.
type State uint8

// The states of a watch.
const (
	Loading     State = iota // the first scan runs; snapshots grow
	Live                     // every change is seen
	Limited                  // some or all folders give no events; the note says which
	Unavailable              // the directory is gone or unreadable; the last snapshot is kept
	Polling                  // every change is seen, in some or all folders only after a while; the note says why
)

func (s State) String() string {
	return [...]string{"loading", "live", "limited", "unavailable", "polling"}[s]
}

// Update is everything since the last one that was taken.
type Update struct {
	Snapshot *memstore.Snapshot
	Changes  []*Change
	State    State
	Note     string // a sentence to the state, or empty
	// Kept of ToKeep files have been looked at by the baseline, so that their
	// next edit has its bytes before. Equal when it is done.
	Kept, ToKeep int
}

// Watcher follows one store. All methods are safe for concurrent use.
type Watcher struct {
	store   *memstore.Store
	options Options
	spill   *spill
	updates chan Update
	latest  atomic.Pointer[memstore.Snapshot]
	intents intents
	loaded  atomic.Bool // the first scan is complete
	wishes  wishes
	cancel  context.CancelFunc
	done    chan struct{} // closed by run
	closing sync.Once
}

// Start begins to watch and returns at once: scanning and copying go on inside,
// and the state is Loading until the first scan is complete. The watch ends with
// ctx or with Close.
func Start(ctx context.Context, store *memstore.Store, o Options) (*Watcher, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o.fill()
	ctx, cancel := context.WithCancel(ctx)
	w := &Watcher{
		store: store, options: o, spill: newSpill(o.TempDir, o.MaxTotal, o.MaxChanges),
		updates: make(chan Update, 1), cancel: cancel, done: make(chan struct{}),
	}
	w.intents.init()
	w.wishes.init()
	root := memstore.Info{Name: ".", Kind: memstore.KindDir}
	w.latest.Store(&memstore.Snapshot{Root: &memstore.Node{Info: root}})
	go w.run(ctx)
	return w, nil
}

// endWithin is how long the end of a watch waits for a call of the system that does not
// return, as a read from a file system whose other side is gone.
const endWithin = time.Second

// run ends when the owner and all that it started have ended, or endWithin after ctx.
func (w *Watcher) run(ctx context.Context) {
	defer close(w.done)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		newOwner(ctx, w).run()
	}()
	<-ctx.Done() // the owner ends for nothing else
	select {
	case <-ended:
	case <-time.After(endWithin):
	}
	w.spill.close()
}

func (o *Options) fill() {
	for _, d := range []struct {
		field *int64
		value int64
	}{{&o.MaxFile, 4 << 20}, {&o.MaxTotal, 256 << 20}, {&o.MaxChanges, 1 << 30}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.queue == 0 {
		o.queue = 1 << 16
	}
	o.hooks.fill()
}

// Updates gives what happened. A slow reader misses nothing: what it did not
// take is merged into one Update. The channel is never closed; a reader that may
// outlive the watch selects on [Watcher.Done] too.
func (w *Watcher) Updates() <-chan Update { return w.updates }

// Done is closed when the watch has ended, at most a second after its context.
func (w *Watcher) Done() <-chan struct{} { return w.done }

// Snapshot returns the tree as it was published last, never nil.
func (w *Watcher) Snapshot() *memstore.Snapshot { return w.latest.Load() }

// Prefer asks that the file at agentPath is copied next, because somebody looks at it.
func (w *Watcher) Prefer(agentPath string) { w.wishes.prefer(agentPath) }

// Rescan asks for a comparison of everything with the disk at once: for folders
// that give no events.
func (w *Watcher) Rescan() { w.wishes.rescan() }

// Close ends the watch and waits for everything it started, for a second at most: a goroutine
// whose call of the system does not return is left behind. It only reads, and ends with that
// call. Versions give no bytes afterwards. It is safe to call Close more than once.
func (w *Watcher) Close() error {
	w.closing.Do(w.cancel)
	<-w.done
	return nil
}

// wishes are what callers ask of the owner. ring has room for one signal.
type wishes struct {
	mu    sync.Mutex
	paths []string
	scan  bool
	ring  chan struct{}
}

func (q *wishes) init() { q.ring = make(chan struct{}, 1) }

func (q *wishes) prefer(path string) {
	q.mu.Lock()
	q.paths = append(q.paths, path)
	q.mu.Unlock()
	signal(q.ring)
}

func (q *wishes) rescan() {
	q.mu.Lock()
	q.scan = true
	q.mu.Unlock()
	signal(q.ring)
}

func (q *wishes) take() (paths []string, scan bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	paths, scan = q.paths, q.scan
	q.paths, q.scan = nil, false
	return paths, scan
}

// signal leaves a message in a channel of capacity 1 unless one is there.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
