package watch

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

const (
	// A look waits until nothing has happened for quietFor, which leaves programs that rewrite a file in place time to do so, but no longer
	// than quietWithin.
	quietFor    = 50 * time.Millisecond
	quietWithin = 150 * time.Millisecond
	// emptyFor is how long an empty file is not compared: most likely the write is still to come.
	emptyFor = 250 * time.Millisecond
	// After a look or a comparison the next one waits restFor times as long as it took: a large store takes a fifth of a core at most.
	restFor = 4
	// Above maxNames, everything is compared.
	maxNames = 1000
	// tempFor is how long a scan hides a temporary file.
	tempFor = 5 * time.Second
	// lookEvery is how often an absent directory is looked for, and an empty one is checked: its removal causes no event as long as a
	// handle to it is open.
	lookEvery = time.Second
	// After a comparison that fails, everything waits for failedAfter, doubled with each failure up to failedMost.
	failedAfter = 5 * time.Second
	failedMost  = 5 * time.Minute
)

var errEmptied = errors.New("an empty directory replaced it")

// loop is the goroutine that holds the tree. Only watches are shared with the goroutines of a scan.
type loop struct {
	Options
	ctx     context.Context
	w       *Watcher
	store   *memstore.Store
	disk    onDisk
	watches *watches // nil: none yet, or the directory is away
	shown   Update   // the last one

	tree    *memstore.Snapshot // what is known
	loaded  bool               // the first scan is complete
	rest    time.Time          // no look before this
	pollAt  time.Time          // zero: no poll
	polls   time.Duration      // between two polls
	again   []string           // files that the last poll found changed; see look
	version uint64             // of a [memstore.FileBacked]

	names    map[string]bool // to be compared
	whole    bool            // everything is
	syncing  bool
	syncRest time.Time // no comparison before this
	synced   chan synced
	failing  time.Duration // the wait after the last comparison, if it failed
	reason   string        // why, as a sentence
}

// synced is the result of a comparison.
type synced struct {
	cost time.Duration
	err  error
}

func newLoop(ctx context.Context, w *Watcher, store *memstore.Store, o Options) *loop {
	root := &memstore.Node{Info: memstore.Info{Name: ".", Kind: memstore.KindDir}}
	return &loop{Options: o, ctx: ctx, w: w, store: store, disk: diskOf(store.Backend()), tree: &memstore.Snapshot{Root: root},
		names: map[string]bool{}, synced: make(chan synced, 1), polls: o.system.pollEach}
}

func (l *loop) run() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	defer func() {
		l.watches.close()
		if l.syncing {
			<-l.synced
		}
	}()
	l.w.marks.now(nil, true)
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-l.w.marks.ring:
		case r := <-l.synced:
			l.take(r)
		case <-timer.C:
		}
		l.w.turn.Lock()
		next := l.step(time.Now())
		l.w.turn.Unlock()
		if timer.Stop(); !next.IsZero() {
			timer.Reset(max(time.Until(next), 0))
		}
	}
}

// step does what is due, and returns when to come again; zero: with the next signal.
func (l *loop) step(now time.Time) (next time.Time) {
	poll := !l.pollAt.IsZero() && !now.Before(l.pollAt)
	if at := l.w.marks.due(); poll || !at.IsZero() && !now.Before(later(at, l.rest)) {
		l.look(poll)
	}
	l.sync(time.Now())
	var times []time.Time
	if at := l.w.marks.due(); !at.IsZero() {
		times = append(times, later(at, l.rest))
	}
	if !l.syncing && (l.whole || len(l.names) > 0) {
		times = append(times, l.syncRest)
	}
	for _, at := range append(times, l.pollAt) {
		if !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// look lists what is marked, and with poll the folders without events, and publishes the tree.
func (l *loop) look(poll bool) {
	start := time.Now()
	marked := l.w.marks.take()
	if poll && l.disk.backed != nil && l.watches != nil {
		if version, err := l.disk.backed.Version(); err == nil && version == l.version && !marked.lost && len(marked.names) == 0 {
			l.plan(time.Since(start))
			return
		} else if err == nil {
			l.version = version
		}
	}
	if marked.lost {
		l.watches.close()
		l.watches = nil
	}
	all := l.watches == nil
	if all {
		l.watches = openWatches(l.disk, &l.w.marks, &l.system)
	}
	l.watches.forget(marked.moved)
	k := keeper{loop: l, all: all, near: map[string]bool{}}
	k.mark(maps.Keys(marked.names))
	if poll {
		k.mark(slices.Values(l.watches.deafNames()))
	}
	o := memstore.ScanOptions{Visit: l.watches.add, Keep: k.keep, Hidden: l.hide}
	if !l.loaded {
		o.Report = func(s *memstore.Snapshot) { l.publish(Update{Snapshot: s, State: Loading}) }
	}
	now, err := l.store.ScanFrom(l.ctx, o)
	switch replaced := err == nil && l.loaded && now.Root.ID != l.tree.Root.ID; {
	case l.ctx.Err() != nil:
		return
	case err != nil:
		l.lose(err)
		return
	case replaced && len(now.Root.Children) == 0 && len(l.tree.Root.Children) > 0: // as a mount point without its disk
		l.lose(errEmptied)
		return
	case replaced && !all:
		l.w.marks.now(nil, true) // with watches on the new one
		return
	}
	l.learn(now, marked, poll, all)
	l.plan(time.Since(start))
	l.judge()
}

// learn takes a new tree, and notes the names to be compared.
func (l *loop) learn(now *memstore.Snapshot, marked marked, poll, all bool) {
	found := map[string]bool{}
	merge(".", l.tree.Root, now.Root, found)
	l.tree = now
	l.watches.prune(now)
	if !l.loaded {
		l.loaded = true // whoever started the watch compares this first tree
		return
	}
	l.whole = l.whole || all
	for name := range marked.names {
		// The record may know it where this tree never did: it came and went between two looks.
		if find(now, name) != nil || !memstore.TempName(path.Base(name)) {
			found[name] = true
		}
	}
	if poll {
		// A file that was read right after it changed may have changed again under the same stamp, and the clocks of other machines may
		// be wrong: so each is compared once more.
		again := l.again
		l.again = slices.Collect(maps.Keys(found))
		for _, name := range again {
			found[name] = true
		}
	}
	for name := range found {
		if n := find(now, name); n != nil && n.Kind == memstore.KindFile && n.Size == 0 {
			if age := time.Since(n.ModTime); age >= 0 && age < emptyFor {
				l.w.marks.event(name, false)
				continue
			}
		}
		if name != "." && !memstore.InGit(name) {
			l.names[name] = true
		}
	}
}

// plan sets the times of the next look and the next poll by what the last one took.
func (l *loop) plan(cost time.Duration) {
	now := time.Now()
	l.rest = now.Add(restFor * cost)
	l.pollAt = time.Time{}
	switch {
	case l.disk.backed != nil:
		l.pollAt = now.Add(filesEach)
	case len(l.watches.deafNames()) > 0:
		for l.polls = l.system.pollEach; l.polls < pollShare*cost; {
			l.polls *= 2
		}
		l.pollAt = now.Add(l.polls)
	case len(l.tree.Root.Children) == 0:
		l.pollAt = now.Add(lookEvery)
	}
}

// hide has a temporary file that a scan omits looked at when it should be gone.
func (l *loop) hide(name string, _ memstore.Info) {
	time.AfterFunc(tempFor, func() { l.w.marks.event(name, false) })
}

// lose is called when the directory is gone or can't be read. Nothing is reported about its contents: the last tree stays until the
// directory is back and can be compared.
func (l *loop) lose(err error) {
	l.whole = false
	clear(l.names)
	l.watches.close()
	l.watches = nil
	l.pollAt = time.Now().Add(lookEvery)
	note := "The memory directory moved, or was deleted or unmounted. Showing the last copy"
	switch {
	case errors.Is(err, errEmptied):
		note = "An empty directory replaced the memory directory. Is a disk unmounted? Showing the last copy"
	case errors.Is(err, memstore.ErrPermission):
		note = "Can't read the memory directory: permission denied. Showing the last copy"
	}
	l.publish(Update{Snapshot: l.tree, State: Unavailable, Note: note})
}

// judge publishes the tree with the state of the watch.
func (l *loop) judge() {
	if l.watches == nil || !l.loaded {
		return
	}
	u := Update{Snapshot: l.tree, State: Live}
	if l.reason != "" {
		u.State, u.Note = Limited, l.reason
	} else if note := l.watches.note(l.polls); note != "" {
		u.State, u.Note = Polling, note
	}
	l.publish(u)
}

// publish leaves an update in the channel in place of one that was not taken. Only the loop sends, so the channel has room then.
func (l *loop) publish(u Update) {
	if u.State == l.shown.State && u.Note == l.shown.Note && l.shown.Snapshot != nil && u.Snapshot.Root == l.shown.Snapshot.Root {
		return
	}
	l.shown = u
	select {
	case <-l.w.updates:
	default:
	}
	l.w.updates <- u
}

// sync starts a comparison if one is due.
func (l *loop) sync(now time.Time) {
	if l.syncing || l.watches == nil || !l.whole && len(l.names) == 0 || now.Before(l.syncRest) {
		return
	}
	h := past.Hints{Root: l.tree.Root.ID}
	if l.whole || len(l.names) > maxNames {
		h.Tree = l.tree
	} else {
		for name := range l.names {
			h.Names = append(h.Names, memstore.AgentPath(name))
		}
	}
	clear(l.names)
	l.whole = false
	if l.Sync == nil {
		return
	}
	l.syncing = true
	go func() {
		start := time.Now()
		_, err := l.Sync(l.ctx, h)
		l.synced <- synced{time.Since(start), err}
	}()
}

// take plans what must be compared again.
func (l *loop) take(r synced) {
	l.syncing, l.syncRest = false, time.Now().Add(restFor*r.cost)
	if r.err == nil {
		l.failing, l.reason = 0, ""
		l.judge()
		return
	}
	if l.ctx.Err() != nil {
		return
	}
	l.failing = min(max(2*l.failing, l.system.failed), failedMost)
	l.syncRest, l.whole = time.Now().Add(l.failing), true
	if errors.Is(r.err, memstore.ErrUnavailable) {
		l.w.marks.now([]string{"."}, false) // is it gone?
		return
	}
	l.Warn(r.err)
	// The texts of other errors than those of the record may hold host paths.
	why := "can't compare"
	if known := (*past.Error)(nil); errors.As(r.err, &known) {
		why = known.Error()
	}
	l.reason = "Can't record changes by other programs: " + why + ". Retrying"
	l.judge()
}
