package watch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

const (
	// A look waits until nothing has happened for quietFor, which leaves programs that rewrite a file in place time to do so, but no longer
	// than quietWithin.
	quietFor    = 50 * time.Millisecond
	quietWithin = 150 * time.Millisecond
	// After a look or a comparison the next one waits restFor times as long as it took: a large store takes a fifth of a core at most.
	// It is not longer than restMost, or what happens after a burst would be seen minutes later.
	restFor  = 4
	restMost = 10 * time.Second
	// paintFor is how long the first scan waits once it has the entries of the root: it takes every processor, and they are painted
	// meanwhile.
	paintFor = 50 * time.Millisecond
	// lookEvery is how often an absent directory is looked for, and an empty one is checked: its removal causes no event as long as a
	// handle to it is open.
	lookEvery = time.Second
	// failedAfter is the wait after a comparison that fails.
	failedAfter = 3 * time.Second
	// pollEach is the shortest time between two polls of a store without events, or without all of them. After a poll nothing is done for
	// pollShare times as long as it took.
	pollEach  = 2 * time.Second
	pollShare = 50
	// filesEach is how often the files are looked at that a [memstore.Adapted] is kept in.
	filesEach = 500 * time.Millisecond
)

// loop is the goroutine that holds the tree. Only watches are shared with the goroutines of a scan.
type loop struct {
	Options
	ctx     context.Context
	w       *Watcher
	store   *memstore.Store
	disk    onDisk
	watches *watches // nil: none yet, or the directory is away
	shown   Update   // the last one

	tree    *memstore.Snapshot // what is known; complete after the first scan
	rest    time.Time          // no look before this
	pollAt  time.Time          // zero: no poll
	polls   time.Duration      // between two polls
	again   bool               // the last poll found changes; see learn
	version uint64             // of a [memstore.Adapted]

	due     bool // the tree is to be compared
	unseen  bool // it was away since the last comparison, is another directory, or has no files where the system tells of no changes
	syncing bool
	syncAt  time.Time // no comparison before this
	synced  chan synced
	reason  string // why the last comparison failed, as a sentence
}

// synced is the result of a comparison.
type synced struct {
	cost   time.Duration
	unseen bool // as it was told
	err    error
}

func newLoop(ctx context.Context, w *Watcher, store *memstore.Store, o Options) *loop {
	root := &memstore.Node{Info: memstore.Info{Name: ".", Kind: memstore.KindDir}}
	return &loop{Options: o, ctx: ctx, w: w, store: store, disk: diskOf(store.Backend()), tree: &memstore.Snapshot{Root: root},
		syncAt: time.Now(), synced: make(chan synced, 1), polls: o.system.pollEach}
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
	l.w.Rescan()
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
	if poll := isDue(l.pollAt, now); poll || isDue(l.lookAt(), now) {
		l.look(poll)
	}
	if isDue(l.compareAt(), time.Now()) {
		l.compare()
	}
	for _, at := range []time.Time{l.pollAt, l.lookAt(), l.compareAt()} {
		if !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

func isDue(at, now time.Time) bool { return !at.IsZero() && !now.Before(at) }

// lookAt is when to look at what is marked; zero: nothing is.
func (l *loop) lookAt() time.Time {
	if at := l.w.marks.due(); at.IsZero() || at.After(l.rest) {
		return at
	}
	return l.rest
}

// compareAt is when to compare; zero: nothing is to be compared, or a comparison runs.
func (l *loop) compareAt() time.Time {
	if l.syncing || l.watches == nil || !l.due {
		return time.Time{}
	}
	return l.syncAt
}

// look lists what is marked, with poll everything, and publishes the tree.
func (l *loop) look(poll bool) {
	start := time.Now()
	names, all := l.w.marks.take()
	if poll && l.disk.backed != nil && l.watches != nil {
		version, err := l.disk.backed.Version()
		if err == nil && version == l.version && !all && len(names) == 0 {
			l.plan(time.Since(start))
			return
		}
		l.version = version
	}
	if all = all || poll || l.watches == nil; all {
		l.watches.close()
		l.watches = openWatches(l.disk, &l.w.marks, &l.system)
	}
	o := memstore.ScanOptions{Visit: l.watches.add}
	if !all {
		o.Keep = keeper(l.tree, names)
	}
	if l.shown.Snapshot == nil {
		l.showTop()
	}
	now, err := l.store.Scan(l.ctx, o)
	switch {
	case l.ctx.Err() != nil:
		return
	case err != nil:
		l.lose(err)
		return
	case now.Root.ID != l.tree.Root.ID && len(now.Root.Children) == 0 && len(l.tree.Root.Children) > 0: // as a mount point without its disk
		l.lose(memstore.ErrUnavailable)
		return
	}
	l.learn(now, names, poll, all)
	l.plan(time.Since(start))
	l.judge()
}

// showTop publishes the entries of the root before all that is below them is read.
func (l *loop) showTop() {
	entries, err := l.store.Backend().ReadDir(".")
	if err != nil {
		return // the scan says why
	}
	top := memstore.SnapshotOf(func(yield func(string, memstore.Info) bool) {
		for _, e := range entries {
			if !yield(e.Name, e) {
				return
			}
		}
	}, len(entries))
	top.Complete = false
	l.publish(Update{Snapshot: top, State: Loading})
	select {
	case <-l.ctx.Done():
	case <-time.After(paintFor):
	}
}

// learn takes a new tree, and notes what is to be compared. Whoever started the watch compares the first tree.
func (l *loop) learn(now *memstore.Snapshot, names map[string]bool, poll, all bool) {
	was := l.tree
	l.tree = now
	if !was.Complete {
		return
	}
	l.unseen = l.unseen || now.Root.ID != was.Root.ID
	if l.watches.why() != "" && now.Root.Files == 0 {
		l.unseen = true // the system told of no deletion: it may be a disk of another machine that answers wrongly
	}
	root, gone := settle(was.Root, now.Root)
	l.tree = &memstore.Snapshot{Root: root, Complete: true}
	if gone && !all {
		l.w.Rescan() // fsnotify keeps the watches below a folder that moved, under its old name
	}
	switch {
	case poll:
		// A file that was read right after it changed may have changed again under the same stamp, and the clocks of other machines may
		// be wrong: so everything is compared once more.
		changed := root != was.Root
		l.due = l.due || changed || l.again || len(names) > 0
		l.again = changed
	default: // also where the tree is the same: the record may know of what came and went between two looks
		l.due = true
	}
}

// plan sets the times of the next look and the next poll by what the last one took.
func (l *loop) plan(cost time.Duration) {
	now := time.Now()
	l.rest = now.Add(min(restFor*cost, restMost))
	l.pollAt = time.Time{}
	switch {
	case l.disk.backed != nil:
		l.pollAt = now.Add(filesEach)
	case l.watches.why() != "":
		for l.polls = l.system.pollEach; l.polls < pollShare*cost; {
			l.polls *= 2
		}
		l.pollAt = now.Add(l.polls)
	case len(l.tree.Root.Children) == 0:
		l.pollAt = now.Add(lookEvery)
	}
}

// Unreadable is the Note of a directory that may not be read.
const Unreadable = "you may not read it"

// lose is called when the directory is gone, gave way to an empty one or can't be read. Nothing is reported about its contents: the last
// tree stays until the directory is back and can be compared.
func (l *loop) lose(err error) {
	l.due, l.unseen = false, true
	l.watches.close()
	l.watches = nil
	l.pollAt = time.Now().Add(lookEvery)
	note := "its files are gone: deleted, moved or unmounted"
	if errors.Is(err, memstore.ErrPermission) {
		note = Unreadable
	}
	l.publish(Update{Snapshot: l.tree, State: Unavailable, Note: note})
}

// judge publishes the tree with the state of the watch.
func (l *loop) judge() {
	if l.watches == nil || !l.tree.Complete {
		return
	}
	u := Update{Snapshot: l.tree, State: Live}
	if l.reason != "" {
		u.State, u.Note = Limited, l.reason
	} else if why := l.watches.why(); why != "" {
		u.State = Polling
		u.Note = fmt.Sprintf("%s. Edits by other programs show up within %.0f seconds", why, max(1, l.polls.Seconds()))
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

// compare starts a comparison.
func (l *loop) compare() {
	h := past.Hints{Tree: l.tree, Unseen: l.unseen, Report: func(done, files int) { l.w.behind.Store(int64(files - done)) }}
	l.due, l.unseen = false, false
	if l.Sync == nil {
		return
	}
	l.syncing = true
	go func() {
		start := time.Now()
		_, err := l.Sync(l.ctx, h)
		l.w.behind.Store(0)
		l.synced <- synced{time.Since(start), h.Unseen, err}
	}()
}

// take plans what must be compared again.
func (l *loop) take(r synced) {
	l.syncing, l.syncAt = false, time.Now().Add(min(restFor*r.cost, restMost))
	if r.err == nil {
		l.reason = ""
		l.judge()
		return
	}
	if l.ctx.Err() != nil {
		return
	}
	l.syncAt, l.due, l.unseen = time.Now().Add(l.system.failed), true, l.unseen || r.unseen
	if errors.Is(r.err, memstore.ErrUnavailable) {
		l.w.marks.add(true, false, ".") // is it gone?
		return
	}
	l.Warn(r.err)
	// The texts of other errors than those of the record may hold host paths.
	why := "can't compare"
	if known := (*past.Error)(nil); errors.As(r.err, &known) {
		why = known.Error()
	}
	l.reason = strings.ToUpper(why[:1]) + why[1:] + ": changes by other programs are not recorded. Retrying"
	l.judge()
}
