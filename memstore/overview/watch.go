package overview

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend/files"
	"memcurator/memstore/discover"
	"memcurator/memstore/watch"
)

const (
	// quickAfter is how long a store must be quiet before its quick parts are read again, and quickWithin the longest wait for that
	// quiet. slowAfter is the same for the parts that need all files.
	quickAfter  = 300 * time.Millisecond
	quickWithin = 2 * time.Second
	slowAfter   = 5 * time.Second
)

// quick are the parts of a row that don't need all files.
const quick = LoadPart | UnreadPart

// Watch reports rows again, one at a time, when their stores change, until ctx ends. At rest nothing runs. Changes of
// stores that the system can't watch are not seen, nor stores that appear meanwhile.
func (r *Reader) Watch(ctx context.Context, rows []Row, parts Part, report func(Row)) {
	w := &watching{Reader: r, parts: parts, rows: slices.Clone(rows), report: report, ring: make(chan struct{}, 1),
		changed: map[int]bool{}, quick: map[int]wait{}, slow: map[int]wait{}}
	var group sync.WaitGroup
	defer group.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	group.Go(func() {
		// An error is that of a system which cannot watch.
		_ = watch.Trees(ctx, treesOf(rows), w.folders, w.mark)
	})
	w.run(ctx)
}

// treesOf are the folders of stores.
func treesOf(rows []Row) []watch.Tree {
	trees := make([]watch.Tree, len(rows))
	for i, row := range rows {
		trees[i] = watch.Tree{Dir: row.Dir, Deep: true}
		if row.Kind == discover.KindInstructions { // its folder is the project
			trees[i] = watch.Tree{Dir: filepath.Dir(row.Path), Concerns: files.IsDocument}
		} else if row.Kind.OfProgram() {
			file := filepath.Base(row.Path)
			trees[i] = watch.Tree{Dir: filepath.Dir(row.Path), Concerns: func(name string) bool { return name == file }}
		}
	}
	return trees
}

// folders lists the folders in a folder, without those of git.
func (r *Reader) folders(dir string) (list []string) {
	entries, err := r.Machine.Files.ReadDir(dir, 0)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if e.IsDir() && !memstore.InGit(e.Name()) {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list
}

// wait is how long to wait for a store that changes.
type wait struct{ until, atMost time.Time }

// watching is one Watch. rows, quick and slow belong to run.
type watching struct {
	*Reader
	parts  Part
	rows   []Row
	report func(Row)
	quick  map[int]wait
	slow   map[int]wait

	ring    chan struct{}
	mu      sync.Mutex
	changed map[int]bool
}

// mark notes that a store has changed.
func (w *watching) mark(at int) {
	w.mu.Lock()
	w.changed[at] = true
	w.mu.Unlock()
	select {
	case w.ring <- struct{}{}:
	default:
	}
}

func (w *watching) run(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.ring:
			w.take(time.Now())
		case <-timer.C:
			w.again(ctx, due(w.quick, time.Now()), w.parts&quick)
			w.again(ctx, due(w.slow, time.Now()), w.parts)
		}
		if next, some := first(w.quick, w.slow); some {
			timer.Reset(max(time.Until(next), time.Millisecond))
		}
	}
}

// take schedules the stores that have changed.
func (w *watching) take(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for at := range w.changed {
		put(w.quick, at, now, quickAfter, quickWithin)
		if w.parts&^quick != 0 {
			put(w.slow, at, now, slowAfter, 10*slowAfter)
		}
	}
	clear(w.changed)
}

// put schedules a store that has just changed.
func put(in map[int]wait, at int, now time.Time, quiet, most time.Duration) {
	one, waits := in[at]
	if !waits {
		one.atMost = now.Add(most)
	}
	if one.until = now.Add(quiet); one.until.After(one.atMost) {
		one.until = one.atMost
	}
	in[at] = one
}

// due returns the stores whose wait is over, and removes them.
func due(in map[int]wait, now time.Time) (list []int) {
	for at, one := range in {
		if !one.until.After(now) {
			list = append(list, at)
		}
	}
	for _, at := range list {
		delete(in, at)
	}
	slices.Sort(list)
	return list
}

// first is when something is due next.
func first(of ...map[int]wait) (next time.Time, some bool) {
	for _, in := range of {
		for _, one := range in {
			if !some || one.until.Before(next) {
				next, some = one.until, true
			}
		}
	}
	return next, some
}

// again reads parts of some rows again. The other parts stay as they were.
func (w *watching) again(ctx context.Context, list []int, parts Part) {
	if len(list) == 0 {
		return
	}
	rows := make([]Row, len(list))
	for i, at := range list {
		rows[i] = RowOf(w.Machine.Recount(ctx, w.rows[at].Found))
	}
	w.Fill(ctx, rows, parts, func(i int, row Row) { rows[i] = row })
	if ctx.Err() != nil {
		return
	}
	for i, at := range list {
		rows[i] = rows[i].Renewed(w.rows[at])
		w.rows[at] = rows[i]
		w.report(rows[i])
	}
}
