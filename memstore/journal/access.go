package journal

import (
	"context"
	"errors"
	"sync"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// views are the agent's views that are not written yet: a view costs a map entry, and the
// table is written with the next settlement.
type views struct {
	mu   sync.Mutex
	seen map[string]view

	purges int64 // of the journal when they were written last; guarded by the journal's lock
}

type view struct {
	count   int64
	last    time.Time
	session string
}

// maxViews is how many paths are collected before they are written.
const maxViews = 1000

// Viewed implements [memstore.ViewRecorder]: it counts a view by the agent. Views by the
// curator are none.
func (j *Journal) Viewed(_ context.Context, path string, o memstore.Origin, at time.Time) {
	if o.Actor == memstore.Curator || j.settler == nil {
		return
	}
	j.views.mu.Lock()
	if j.views.seen == nil {
		j.views.seen = map[string]view{}
	}
	v := j.views.seen[memstore.BackendName(path)]
	j.views.seen[memstore.BackendName(path)] = view{v.count + 1, at, schema.Cut(o.Session)}
	full := len(j.views.seen) >= maxViews
	j.views.mu.Unlock()
	if full {
		j.writeViews()
	}
}

// writeViews writes what Viewed has counted.
func (j *Journal) writeViews() {
	j.views.mu.Lock()
	seen := j.views.seen
	j.views.seen = nil
	j.views.mu.Unlock()
	if len(seen) == 0 {
		return
	}
	err := j.tx("views", false, func(w *writer) error {
		purges, _, err := w.purges()
		if err != nil {
			return err
		}
		number := w.pathID
		if purges != j.views.purges { // a name may have been purged since it was viewed
			number, j.views.purges = w.knownPath, purges
		}
		for name, v := range seen {
			id, err := number(name)
			if err != nil {
				return err
			}
			if id == 0 {
				continue
			}
			if err := w.Do(`INSERT INTO access (path, views, last, session) VALUES (?, ?, ?, ?)
				ON CONFLICT (path) DO UPDATE SET views = views + excluded.views, last = max(last, excluded.last), session = excluded.session`,
				id, v.count, v.last.UnixNano(), schema.Text(v.session)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, past.ErrClosed) {
		j.options.Warn(err)
	}
}
