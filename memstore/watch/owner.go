package watch

import (
	"context"
	"sync"
	"time"

	"memcurator/memstore"
)

// owner is the goroutine that holds everything that changes, and its state.
// Nothing here is locked: other goroutines get values and send values.
type owner struct {
	w       *Watcher
	ctx     context.Context
	backend memstore.Backend
	disk    onDisk
	group   sync.WaitGroup

	model  *memstore.Tree     // the current tree
	known  *memstore.Snapshot // the tree when the directory was last seen
	loaded bool               // the first scan is complete

	watches  *watches // nil: no events
	settling settling
	temps    map[string]time.Time // when temporary files were first seen
	tempAt   time.Time
	polls    polls

	scanning bool
	again    bool // another scan is wanted after this one
	scans    chan scanned

	state  State
	note   string
	rootID memstore.FileID
	rootAt time.Time // when to check that an empty directory is still there
	gone   *absence  // non-nil exactly when state is Unavailable

	out   publisher
	timer *time.Timer
}

func newOwner(ctx context.Context, w *Watcher) *owner {
	o := &owner{
		w: w, ctx: ctx, backend: w.store.Backend(), known: w.Snapshot(), temps: make(map[string]time.Time),
		settling: settling{dirty: make(map[string]*unsettled), resting: make(map[string]time.Time), results: make(chan synced)},
		scans:    make(chan scanned), timer: time.NewTimer(time.Hour),
	}
	o.timer.Stop()
	o.polls.results = make(chan polled)
	o.polls.every = w.options.hooks.pollLeast
	o.disk = diskOf(o.backend)
	o.model = memstore.NewTree(w.Snapshot())
	return o
}

// run is the goroutine. During a scan it handles nothing else; what waits is
// compared with its result.
func (o *owner) run() {
	defer o.stop()
	var written <-chan struct{}
	if b := o.disk.backed; b != nil {
		written = files(o.ctx, b.Files())
	}
	o.scan()
	for o.ctx.Err() == nil {
		o.arm()
		var events, wishes chan struct{}
		if !o.scanning {
			wishes = o.w.wishes.ring
			if o.watches != nil {
				events = o.watches.ring
			}
		}
		take := func() {}
		select {
		case <-o.ctx.Done():
		case s := <-o.scans:
			take = func() { o.takeScan(s) }
		case r := <-o.settling.results:
			take = func() { o.takeSynced(r) }
		case p := <-o.polls.results:
			take = func() { o.takePoll(p) }
		case <-events:
			take = o.takeEvents
		case <-wishes:
			take = o.takeWishes
		case _, ok := <-written:
			if take = o.pollSoon; !ok {
				written = nil
			}
		case <-o.timer.C:
			take = o.tick
		}
		o.w.options.hooks.turn.Lock()
		take()
		o.next()
		o.w.options.hooks.turn.Unlock()
	}
}

// next starts what can be started.
func (o *owner) next() {
	if !o.scanning && o.gone == nil && o.watches != nil {
		o.takeEvents() // before anything settles: on a busy machine they may have waited longer than that takes
	}
	now := time.Now()
	if !o.scanning && o.gone == nil {
		o.settle(now)
		o.poll(now)
		o.watchOverEmpty(now)
	}
	o.publish(now)
}

// watchOverEmpty schedules the next check of an empty directory. Its removal causes no event as long as a handle to it is open, and
// there are no entries whose removal would.
func (o *owner) watchOverEmpty(now time.Time) {
	root := o.model.Lookup(".")
	switch {
	case !o.loaded || root == nil || len(root.Children) > 0:
		o.rootAt = time.Time{}
	case now.After(o.rootAt):
		o.rootAt = now.Add(lookEvery)
	}
}

// tick handles what has no channel of its own; the rest of the timer's work is in next.
func (o *owner) tick() {
	now := time.Now()
	if !o.tempAt.IsZero() && !o.scanning && !now.Before(o.tempAt) {
		o.lookAtTemps(now)
	}
	if !o.rootAt.IsZero() && o.gone == nil && !o.scanning && !now.Before(o.rootAt) {
		o.rootThere()
	}
	if o.gone != nil && !o.scanning && !now.Before(o.gone.lookAt) {
		o.retry()
	}
}

// arm sets the timer to the next moment at which there is something to do, or
// stops it: an idle watch wakes up only to poll, and for an empty directory.
func (o *owner) arm() {
	var next time.Time
	sooner := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	sooner(o.out.dueAt)
	if !o.scanning {
		if o.gone != nil {
			sooner(o.gone.lookAt)
		} else {
			sooner(o.tempAt)
			sooner(o.rootAt)
			if !o.polls.running {
				sooner(o.polls.dueAt)
			}
			if !o.settling.running {
				sooner(o.settling.at)
			}
		}
	}
	if next.IsZero() {
		o.timer.Stop()
		return
	}
	o.timer.Reset(max(time.Until(next), 0))
}

func (o *owner) stop() {
	o.timer.Stop()
	if o.watches != nil {
		o.watches.close()
	}
	o.w.cancel() // ends the goroutines that are waited for when ctx did not
	o.group.Wait()
}

func (o *owner) takeWishes() {
	touched, scan := o.w.wishes.take()
	o.lookAt(touched)
	if scan && o.gone == nil {
		o.scan()
	}
}
