package watch

import (
	"time"

	"memcurator/memstore"
)

// Updates are at most 10 a second in the long run. A few in a row may come at
// once, so that the first sign of an edit and the edit itself are not held back.
const (
	publishEvery = 100 * time.Millisecond
	publishBurst = 10
)

// publisher holds what is not published yet. Owned by the owner.
type publisher struct {
	pending bool
	dueAt   time.Time          // when the pending update may go; zero: nothing pending
	loading *memstore.Snapshot // what the first scan has found so far
	credit  time.Time          // moves on by publishEvery with each update, never far behind now
}

// changed requests a publication.
func (o *owner) changed() { o.out.pending = true }

func (o *owner) publish(now time.Time) {
	p := &o.out
	if !p.pending {
		p.dueAt = time.Time{}
		return
	}
	if earliest := now.Add(-publishBurst * publishEvery); p.credit.Before(earliest) {
		p.credit = earliest
	}
	if at := p.credit.Add(publishEvery); at.After(now) {
		p.dueAt = at
		return
	}
	p.credit = p.credit.Add(publishEvery)
	p.pending, p.dueAt = false, time.Time{}
	o.send(Update{Snapshot: o.snapshot(), State: o.state, Note: o.note})
}

// snapshot is what the user sees: the current disk, or, while the
// directory is away, its last known state.
func (o *owner) snapshot() *memstore.Snapshot {
	switch {
	case !o.loaded && o.out.loading != nil:
		return o.out.loading
	case o.gone != nil:
		return o.known
	}
	return o.model.Snapshot()
}

// send leaves u in the channel in place of an update that was not taken. Only
// the owner sends, so the channel has room once it was emptied.
func (o *owner) send(u Update) {
	select {
	case <-o.w.updates:
	default:
	}
	o.w.latest.Store(u.Snapshot)
	o.w.updates <- u
}
