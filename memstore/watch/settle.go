package watch

import (
	"errors"
	"path"
	"slices"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// A path is compared once it has been quiet for settleAfter, and at the latest settleWithin after its first event. That leaves time
// for programs that rewrite a file in place: they truncate it before they write.
const (
	settleAfter  = 40 * time.Millisecond
	settleWithin = 250 * time.Millisecond
	// settleEvery is the shortest time between two batches. maxBatch limits the paths in one, so that the next does not wait
	// for thousands of files to be read.
	settleEvery = 20 * time.Millisecond
	maxBatch    = 1000
	// maxDirty is how many paths are remembered, some 10 MB. Beyond that everything is compared.
	maxDirty = 1 << 16
	// againAfter is how long a path waits while one of our own edits is in progress there. After a failed comparison everything
	// waits for failedAfter, doubled with each failure up to failedMost.
	againAfter  = 250 * time.Millisecond
	failedAfter = 5 * time.Second
	failedMost  = 5 * time.Minute
	// growthRate limits how often a large file is compared, which reads it: at most this many bytes a second.
	growthRate = 10 << 20
)

// unsettled is a path at which something happened and which is not compared yet.
type unsettled struct {
	first, last time.Time
	from        string          // its name before a rename
	empty       bool            // an empty file: most likely the write is still to come
	named       bool            // the name appeared or vanished
	was         memstore.FileID // of what used to have the name; zero: nothing did
}

func (u *unsettled) due() time.Time {
	quiet, end := u.last.Add(settleAfter), u.first.Add(settleWithin)
	if u.empty || end.Before(quiet) {
		return end
	}
	return quiet
}

// settling holds what is waiting to be compared. It belongs to the owner.
type settling struct {
	dirty   map[string]*unsettled
	at      time.Time            // nothing is due before this; zero: nothing is waiting
	all     time.Time            // when to compare everything; zero: not requested
	resting map[string]time.Time // large files that were just read, and until when to leave them alone
	running bool                 // a comparison is in progress
	failed  time.Duration        // the wait after the last comparison, if it failed
	reason  string               // why it failed, as a sentence; empty: it did not
	results chan synced
}

// synced is the result of a comparison.
type synced struct {
	hints  past.Hints
	result past.Synced
	err    error
}

func (o *owner) mark(name, from string) *unsettled {
	now := time.Now()
	s := &o.settling
	u := s.dirty[name]
	if u == nil {
		if u = (&unsettled{first: now}); memstore.InGit(name) {
			return u // a commit does not edit the memory
		}
		if len(s.dirty) < maxDirty {
			s.dirty[name] = u
		} else {
			clear(s.dirty)
			o.markAll(now.Add(settleAfter))
		}
	}
	u.last = now
	if from != "" {
		u.from = from
	}
	n := o.model.Lookup(name)
	u.empty = n != nil && n.Kind == memstore.KindFile && n.Size == 0
	o.soon(u.due())
	return u
}

// markAll schedules a comparison of everything.
func (o *owner) markAll(at time.Time) {
	o.settling.all = at
	o.soon(at)
}

func (o *owner) soon(at time.Time) {
	if s := &o.settling; s.at.IsZero() || at.Before(s.at) {
		s.at = at
	}
}

// settle starts a comparison of the paths that are due.
func (o *owner) settle(now time.Time) {
	s := &o.settling
	if s.running || s.at.IsZero() || now.Before(s.at) {
		return
	}
	s.at = time.Time{}
	h := past.Hints{Root: o.rootID}
	if !s.all.IsZero() && !now.Before(s.all) {
		s.all = time.Time{}
		clear(s.dirty)
		h.Tree = o.model.Snapshot()
	} else {
		if !s.all.IsZero() {
			o.soon(s.all)
		}
		o.addDue(&h, now)
	}
	if len(h.Names) == 0 && h.Tree == nil || !o.rootThere() {
		return
	}
	o.known = o.model.Snapshot()
	if o.w.options.Sync == nil {
		return
	}
	s.running = true
	o.group.Go(func() {
		o.w.options.hooks.turn.Lock()
		result, err := o.w.options.Sync(o.ctx, h)
		o.w.options.hooks.turn.Unlock()
		select {
		case s.results <- synced{h, result, err}:
		case <-o.ctx.Done():
		}
	})
}

// takeSynced schedules what must be compared again.
func (o *owner) takeSynced(r synced) {
	s := &o.settling
	s.running = false
	now := time.Now()
	if r.err != nil && o.ctx.Err() == nil {
		s.failed = min(max(2*s.failed, o.w.options.hooks.failedAfter), failedMost)
		o.markAll(now.Add(s.failed))
		if errors.Is(r.err, memstore.ErrUnavailable) {
			if !o.scanning && o.gone == nil {
				o.rootThere()
			}
			return
		}
		o.w.options.Warn(r.err)
		s.reason = notRecorded(r.err)
		o.judge()
		return
	}
	if s.failed = 0; s.reason != "" {
		s.reason = ""
		o.judge()
	}
	for _, path := range r.result.Again {
		name := memstore.BackendName(path)
		o.mark(name, "")
		o.rest(name, now.Add(againAfter))
	}
	for _, path := range r.hints.Names {
		name := memstore.BackendName(path)
		if n := o.model.Lookup(name); n != nil && n.Kind == memstore.KindFile && n.Size > growthRate/100 {
			o.rest(name, now.Add(time.Duration(n.Size)*time.Second/growthRate))
		}
	}
	if !s.all.IsZero() {
		o.soon(s.all)
	}
	for name, u := range s.dirty {
		o.soon(later(u.due(), s.resting[name]))
	}
}

// notRecorded is the note to a comparison that failed. The texts of other errors than those of the record may hold host paths.
func notRecorded(err error) string {
	why := "can't compare"
	var known *past.Error
	if errors.As(err, &known) {
		why = known.Error()
	}
	return "Can't record changes by other programs: " + why + ". Retrying"
}

// rest leaves a name alone for a while.
func (o *owner) rest(name string, until time.Time) {
	if s := &o.settling; until.After(s.resting[name]) {
		s.resting[name] = until
	}
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// isCovered reports whether a folder above a name has also appeared or vanished, and awaits comparison with everything in it.
func (o *owner) isCovered(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if u := o.settling.dirty[dir]; u != nil && u.named {
			return true
		}
	}
	return false
}

// isLeaving reports whether a name has just vanished. The next event or poll will report that, together with its new name if it has
// one; comparing it now would mistake a rename for a removal.
func (o *owner) isLeaving(name string) bool {
	if o.watches == nil || o.model.Lookup(name) == nil {
		return false
	}
	_, err := o.backend.Lstat(name)
	return memstore.IsAbsent(err)
}

// comeByID maps the file IDs at new names to those names, so that a vanished name can be found under its new one.
func (o *owner) comeByID() map[memstore.FileID]string {
	come := map[memstore.FileID]string{}
	for name, u := range o.settling.dirty {
		if n := o.model.Lookup(name); u.named && n != nil && n.ID != (memstore.FileID{}) && n.ID != u.was {
			come[n.ID] = name
		}
	}
	return come
}

// addDue adds the paths that are due, and schedules the others. The two names of a rename go together.
func (o *owner) addDue(h *past.Hints, now time.Time) {
	s := &o.settling
	var names []string
	limit := now.Add(settleEvery)
	renamed := map[string]string{} // by the old name
	for name, u := range s.dirty {
		if u.from != "" {
			renamed[u.from] = name
		}
	}
	come, gone := o.comeByID(), map[string]string{} // by the new name
	for name, u := range s.dirty {
		if to, ok := come[u.was]; ok && renamed[name] == "" && o.model.Lookup(name) == nil {
			renamed[name], gone[to] = to, name // perhaps: the file system may have reused the ID
		}
	}
	for name, u := range s.dirty {
		at := later(u.due(), s.resting[name])
		if at.After(limit) {
			o.soon(at)
			continue
		}
		delete(s.resting, name)
		names = append(names, name)
	}
	if len(names) > maxBatch {
		slices.SortFunc(names, func(a, b string) int { return s.dirty[a].first.Compare(s.dirty[b].first) })
		names = names[:maxBatch]
		o.soon(limit)
	}
	take := func(name string) {
		u := s.dirty[name]
		if u == nil {
			return
		}
		delete(s.dirty, name)
		if o.isCovered(name) || o.isLeaving(name) {
			return
		}
		h.Names = append(h.Names, memstore.AgentPath(name))
		if o.watches != nil && o.model.Lookup(name) != nil {
			h.There = append(h.There, memstore.AgentPath(name))
		}
		if u.from != "" {
			h.Moves = append(h.Moves, past.Move{From: memstore.AgentPath(u.from), To: memstore.AgentPath(name)})
		}
	}
	for _, name := range names {
		if u := s.dirty[name]; u != nil && u.from != "" {
			take(u.from)
		}
		take(gone[name])
		take(name)
		take(renamed[name])
	}
	for name, until := range s.resting {
		if s.dirty[name] == nil && until.Before(now) {
			delete(s.resting, name)
		}
	}
}
