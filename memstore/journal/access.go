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
// table is written before someone reads.
type views struct {
	j    *Journal
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
	if o.Actor == memstore.Curator || j.options.Look {
		return
	}
	j.views.add(memstore.BackendName(path), schema.Cut(o.Session), at)
}

// add counts a view of a path.
func (s *views) add(name, session string, at time.Time) {
	s.mu.Lock()
	if s.seen == nil {
		s.seen = map[string]view{}
	}
	s.seen[name] = view{s.seen[name].count + 1, at, session}
	full := len(s.seen) >= maxViews
	s.mu.Unlock()
	if full {
		s.write()
	}
}

// write writes what was counted.
func (s *views) write() {
	s.mu.Lock()
	seen := s.seen
	s.seen = nil
	s.mu.Unlock()
	if len(seen) == 0 {
		return
	}
	err := s.j.tx("views", false, func(w *tableWriter) error {
		purges, _, err := w.purges()
		if err != nil {
			return err
		}
		number := w.pathID
		if purges != s.purges { // a name may have been purged since it was viewed
			number, s.purges = w.knownPath, purges
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
		s.j.options.Warn(err)
	}
}
