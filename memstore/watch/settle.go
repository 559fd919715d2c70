package watch

import (
	"errors"
	"path"
	"slices"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// A path is looked at when it has been quiet for settleAfter, and at the latest settleWithin after its first event.
// Between them lies the gap between the truncation and the write of programs that rewrite a file in place.
const (
	settleAfter  = 40 * time.Millisecond
	settleWithin = 250 * time.Millisecond
	// settleEvery is the least time between two batches, maxBatch the number of paths in one: the next must not wait for
	// thousands of files to be read.
	settleEvery = 20 * time.Millisecond
	maxBatch    = 1000
	// maxDirty is how many paths are remembered, some 10 MB. Above it everything is looked at.
	maxDirty = 1 << 16
	// againAfter is how long a path waits on which an edit of our own is under way, failedAfter how long everything does
	// after a look that failed: twice as long each time, up to failedMost.
	againAfter  = 250 * time.Millisecond
	failedAfter = 5 * time.Second
	failedMost  = 5 * time.Minute
	// growthRate is how fast, in bytes a second, a large file may grow before it is looked at less often: each look reads it.
	growthRate = 10 << 20
)

// unsettled is a path at which something happened.
type unsettled struct {
	first, last time.Time
	from        string          // what it was called before a rename
	empty       bool            // a file without bytes: most likely the write is still to come
	named       bool            // the name came or went
	was         memstore.FileID // of what is gone from the name; the zero value: nothing is
}

func (u *unsettled) due() time.Time {
	quiet, end := u.last.Add(settleAfter), u.first.Add(settleWithin)
	if u.empty || end.Before(quiet) {
		return end
	}
	return quiet
}

// settling is what of the store is to be looked at. It belongs to the owner.
type settling struct {
	dirty   map[string]*unsettled
	at      time.Time            // nothing is due before; zero: nothing is
	all     time.Time            // when everything is to be looked at; zero: not
	resting map[string]time.Time // large files that were just read, until then
	asking  bool                 // a look is under way
	failed  time.Duration        // how long was waited after the last look, if it failed
	answers chan answer
}

// answer is the end of a look.
type answer struct {
	hints  past.Hints
	synced past.Synced
	err    error
}

func (o *owner) mark(name, from string) *unsettled {
	now := time.Now()
	s := &o.settling
	u := s.dirty[name]
	if u == nil {
		if u = (&unsettled{first: now}); memstore.InGit(name) {
			return u // a commit is no edit of the memory
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

// markAll says that everything is to be looked at.
func (o *owner) markAll(at time.Time) {
	o.settling.all = at
	o.soon(at)
}

func (o *owner) soon(at time.Time) {
	if s := &o.settling; s.at.IsZero() || at.Before(s.at) {
		s.at = at
	}
}

// settle has the paths looked at that are due.
func (o *owner) settle(now time.Time) {
	s := &o.settling
	if s.asking || s.at.IsZero() || now.Before(s.at) {
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
	s.asking = true
	o.group.Go(func() {
		o.w.options.hooks.turn.Lock()
		synced, err := o.w.options.Sync(o.ctx, h)
		o.w.options.hooks.turn.Unlock()
		select {
		case s.answers <- answer{h, synced, err}:
		case <-o.ctx.Done():
		}
	})
}

// takeAnswer plans what is to be looked at again.
func (o *owner) takeAnswer(a answer) {
	s := &o.settling
	s.asking = false
	now := time.Now()
	if a.err != nil && o.ctx.Err() == nil {
		s.failed = min(max(2*s.failed, failedAfter), failedMost)
		o.markAll(now.Add(s.failed))
		if errors.Is(a.err, memstore.ErrUnavailable) {
			if !o.scanning && o.gone == nil {
				o.rootThere()
			}
			return
		}
		o.w.options.Warn(a.err)
		return
	}
	s.failed = 0
	for _, path := range a.synced.Again {
		name := memstore.BackendName(path)
		o.mark(name, "")
		o.rest(name, now.Add(againAfter))
	}
	for _, path := range a.hints.Names {
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

// rest lets a name wait.
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

// isCovered reports whether a folder above a name came or went too, and is not looked at yet: then everything in it is.
func (o *owner) isCovered(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if u := o.settling.dirty[dir]; u != nil && u.named {
			return true
		}
	}
	return false
}

// isLeaving reports whether a name has just gone, of which the next event or poll will tell, and of what it is called now
// with it: to look at it now would take a rename for a removal.
func (o *owner) isLeaving(name string) bool {
	if o.watches == nil || o.model.Lookup(name) == nil {
		return false
	}
	_, err := o.backend.Lstat(name)
	return memstore.IsAbsent(err)
}

// comeByID are the new names by the numbers that the file system has given to what is there: one that is gone may be
// among them.
func (o *owner) comeByID() map[memstore.FileID]string {
	come := map[memstore.FileID]string{}
	for name, u := range o.settling.dirty {
		if n := o.model.Lookup(name); u.named && n != nil && n.ID != (memstore.FileID{}) && n.ID != u.was {
			come[n.ID] = name
		}
	}
	return come
}

// addDue adds the paths to look at now, and sets the time for the others. The two names of a rename go together.
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
			renamed[name], gone[to] = to, name // perhaps: the number may have been given away again
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
		if o.w.options.Sync == nil {
			o.out.name(name, u.named)
		}
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
	if len(o.out.names) > 0 {
		o.changed()
	}
	for name, until := range s.resting {
		if s.dirty[name] == nil && until.Before(now) {
			delete(s.resting, name)
		}
	}
}
