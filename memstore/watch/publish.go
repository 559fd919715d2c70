package watch

import (
	"maps"
	"slices"
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
	names   map[string]bool    // of what may have changed; true: the name itself came or went
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
	o.send(Update{Snapshot: o.snapshot(), Names: p.takeNames(), State: o.state, Note: o.note})
}

// name notes that something may have changed at a name.
func (p *publisher) name(name string, isNew bool) {
	if p.names == nil {
		p.names = make(map[string]bool)
	}
	p.names[name] = p.names[name] || isNew
}

func (p *publisher) takeNames() []Name {
	names := make([]Name, 0, len(p.names))
	for _, name := range slices.Sorted(maps.Keys(p.names)) {
		names = append(names, Name{memstore.AgentPath(name), p.names[name]})
	}
	p.names = nil
	return names
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

// send leaves u in the channel, merged with an update that was not taken. Only
// the owner sends, so the channel has room once it was emptied.
func (o *owner) send(u Update) {
	select {
	case old := <-o.w.updates:
		u.Names = append(old.Names, u.Names...)
	default:
	}
	o.w.latest.Store(u.Snapshot)
	o.w.updates <- u
}
