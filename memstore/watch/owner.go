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

	model    *memstore.Tree      // as it is now
	told     *memstore.Tree      // as the changes have told it
	versions map[string]*Version // last known contents of what is told, by name
	loaded   bool                // the first scan is complete

	watches  *watches // nil: no events
	dirty    map[string]*unsettled
	temps    map[string]time.Time // when temporary files were first seen
	settleAt time.Time            // no dirty path is due before
	tempAt   time.Time
	batch    *batch // being read; nil: none
	batches  chan *batch
	base     baseline
	polls    polls

	scanning bool
	again    bool // another scan is wanted after this one
	scans    chan scanned

	state  State
	note   string
	rootID memstore.FileID
	gone   *absence // non-nil exactly when state is Unavailable

	out   publisher
	timer *time.Timer
}

func newOwner(ctx context.Context, w *Watcher) *owner {
	o := &owner{
		w: w, ctx: ctx, backend: w.store.Backend(),
		versions: make(map[string]*Version), dirty: make(map[string]*unsettled), temps: make(map[string]time.Time),
		batches: make(chan *batch), scans: make(chan scanned), timer: time.NewTimer(time.Hour),
	}
	o.timer.Stop()
	o.base.results = make(chan []copied)
	o.polls.results = make(chan polled)
	o.polls.every = w.options.hooks.pollLeast
	o.disk = diskOf(o.backend)
	o.model = memstore.NewTree(w.Snapshot())
	o.told = memstore.NewTree(w.Snapshot())
	return o
}

// run is the goroutine. While a scan runs nothing else is taken: what waits is
// looked at against the result.
func (o *owner) run() {
	defer o.stop()
	o.scan()
	for o.ctx.Err() == nil {
		o.arm()
		var events, ended, wishes, parent chan struct{}
		if !o.scanning {
			wishes = o.w.wishes.ring
			if o.watches != nil {
				events = o.watches.ring
			}
			if o.batch == nil {
				ended = o.w.intents.ring
			}
		}
		if o.gone != nil {
			parent = o.gone.ring()
		}
		take := func() {}
		select {
		case <-o.ctx.Done():
		case s := <-o.scans:
			take = func() { o.takeScan(s) }
		case b := <-o.batches:
			take = func() { o.batch = nil; o.finish(b) }
		case c := <-o.base.results:
			take = func() { o.takeCopies(c) }
		case p := <-o.polls.results:
			take = func() { o.takePoll(p) }
		case <-events:
			take = o.takeEvents
		case <-ended:
			take = o.takeIntents
		case <-wishes:
			take = o.takeWishes
		case <-parent:
			take = o.retry
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
		o.copyMore()
		o.poll(now)
	}
	o.publish(now)
}

// tick handles what has no channel of its own; the rest of the timer's work is in next.
func (o *owner) tick() {
	now := time.Now()
	if !o.tempAt.IsZero() && !o.scanning && !now.Before(o.tempAt) {
		o.lookAtTemps(now)
	}
	if o.gone != nil && !o.scanning && !now.Before(o.gone.lookAt) {
		o.retry()
	}
}

// arm sets the timer to the next moment at which there is something to do, or
// stops it: an idle watch never wakes up, but to poll.
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
			if !o.polls.running {
				sooner(o.polls.dueAt)
			}
			if o.batch == nil {
				sooner(o.settleAt)
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
	if o.gone != nil {
		o.gone.close()
	}
	o.w.cancel() // ends the goroutines that are waited for when ctx did not
	o.group.Wait()
}

func (o *owner) takeWishes() {
	paths, scan := o.w.wishes.take()
	for _, p := range paths {
		o.base.prefer(memstore.BackendName(p))
	}
	if scan && o.gone == nil {
		o.scan()
	}
}
