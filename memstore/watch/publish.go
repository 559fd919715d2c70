package watch

import (
	"context"
	"time"

	"memcurator/memstore"
)

// Updates are at most 10 a second in the long run. A few in a row may come at
// once, so that the first sign of an edit and the edit itself are not held back.
const (
	publishEvery = 100 * time.Millisecond
	publishBurst = 3
)

// publisher holds what is not published yet. Owned by the owner.
type publisher struct {
	pending bool
	dueAt   time.Time // when the pending update may go; zero: nothing pending
	changes []*Change
	seq     int
	loading *memstore.Snapshot // what the first scan has found so far
	credit  time.Time          // moves on by publishEvery with each update, never far behind now
}

// changed says that there is something to publish.
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
	o.w.options.judge(o.ctx, p.changes)
	o.send(Update{
		Snapshot: o.snapshot(), Changes: p.changes, State: o.state, Note: o.note,
		Kept: o.base.kept, ToKeep: o.base.total(),
	})
	p.changes = nil
}

// judge finds out about changes that nobody here has made.
func (opt *Options) judge(ctx context.Context, changes []*Change) {
	if opt.Known == nil {
		return
	}
	var foreign []*Change
	for _, c := range changes {
		if c.Actor == memstore.External {
			foreign = append(foreign, c)
		}
	}
	if len(foreign) > 0 {
		opt.Known(ctx, foreign)
	}
}

// snapshot is what the user sees: the disk as it is now, or, while the
// directory is away, as it was told last.
func (o *owner) snapshot() *memstore.Snapshot {
	switch {
	case !o.loaded && o.out.loading != nil:
		return o.out.loading
	case o.gone != nil:
		return o.told.Snapshot()
	}
	return o.model.Snapshot()
}

// send leaves u in the channel, merged with an update that nobody took. Only
// the owner sends, so the channel has room once it was emptied.
func (o *owner) send(u Update) {
	select {
	case old := <-o.w.updates:
		u.Changes = append(old.Changes, u.Changes...)
	default:
	}
	o.w.latest.Store(u.Snapshot)
	o.w.updates <- u
}

// tell publishes a change and keeps its bytes. What other programs do in git's folders is left out.
func (o *owner) tell(c Change) {
	if c.Actor == "" && memstore.InGit(c.Path) && (c.OldPath == "" || memstore.InGit(c.OldPath)) {
		return // a commit is no edit of the memory
	}
	o.out.seq++
	c.Seq = o.out.seq
	if c.Time.IsZero() {
		c.Time = o.w.options.Now()
	}
	if c.Actor == "" {
		c.Actor = memstore.External
		if c.Command != CmdEdit {
			c.Like.Command = c.Command
		} else if c.Like.Command != "" {
			c.Command = c.Like.Command
		}
	}
	o.w.spill.hold(c.Before)
	o.w.spill.hold(c.After)
	o.out.changes = append(o.out.changes, &c)
	o.changed()
}
