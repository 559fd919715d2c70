package watch

import (
	"path"
	"slices"
	"time"

	"memcurator/memstore"
)

// A path is compared with what was told when it has been quiet for settleAfter,
// and at the latest settleWithin after its first event. Between them lies the gap
// between the truncation and the write of programs that rewrite a file in place.
const (
	settleAfter  = 40 * time.Millisecond
	settleWithin = 250 * time.Millisecond
	// settleEvery is the least time between two batches, maxBatch the number of
	// paths in one: the next must not wait for thousands of files to be read.
	settleEvery = 10 * time.Millisecond
	maxBatch    = 1000
)

// unsettled is a path at which something happened.
type unsettled struct {
	first, last time.Time
	from        string // what it was called before a rename
	deep        bool   // a folder whose content was read anew
	empty       bool   // a file without bytes: most likely the write is still to come
}

func (u *unsettled) due() time.Time {
	quiet, end := u.last.Add(settleAfter), u.first.Add(settleWithin)
	if u.empty || end.Before(quiet) {
		return end
	}
	return quiet
}

func (o *owner) mark(name, from string) *unsettled {
	now := time.Now()
	u := o.dirty[name]
	if u == nil {
		u = &unsettled{first: now}
		o.dirty[name] = u
	}
	u.last = now
	if from != "" {
		u.from = from
	}
	n := o.model.Lookup(name)
	u.empty = n != nil && n.Kind == memstore.KindFile && n.Size == 0
	if at := u.due(); o.settleAt.IsZero() || at.Before(o.settleAt) {
		o.settleAt = at
	}
	return u
}

// settle begins to compare the paths that are due.
func (o *owner) settle(now time.Time) {
	if o.batch != nil || o.settleAt.IsZero() || now.Before(o.settleAt) {
		return
	}
	o.settleAt = time.Time{}
	names := o.due(now)
	if len(names) == 0 || !o.rootThere() {
		return
	}
	b := newBatch(o, names)
	for _, name := range names {
		b.from[name] = o.dirty[name].from
		b.deep[name] = o.dirty[name].deep
		delete(o.dirty, name)
	}
	b.prepare()
	if len(b.reads) == 0 {
		o.finish(b)
		return
	}
	o.batch = b
	o.group.Go(func() {
		b.read(o.ctx)
		if o.ctx.Err() != nil {
			return // it was not read to its end: a file left out would look deleted
		}
		select {
		case o.batches <- b:
		case <-o.ctx.Done():
		}
	})
}

// due lists the paths to compare now, parents first, and sets settleAt for the others.
func (o *owner) due(now time.Time) []string {
	var names []string
	next := time.Time{}
	limit := now.Add(settleEvery)
	for name, u := range o.dirty {
		at := u.due()
		if !at.After(limit) {
			if !o.w.intents.covers(name) { // otherwise it waits for the end of our edit
				names = append(names, name)
			}
			continue
		}
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	if len(names) > maxBatch {
		slices.SortFunc(names, func(a, b string) int { return o.dirty[a].first.Compare(o.dirty[b].first) })
		names = names[:maxBatch]
		next = limit
	}
	o.settleAt = next
	slices.Sort(names)
	return names
}

// postpone puts a path back that could not be told now.
func (o *owner) postpone(name, from string) {
	o.mark(name, from).deep = true
}

// versionOf is the last known content of what was told at name. It is never
// nil for a file or a link.
func (o *owner) versionOf(name string, n *memstore.Node) *Version {
	if v := o.versions[name]; v != nil {
		return v
	}
	if n.Kind == memstore.KindFile || n.Kind == memstore.KindLink {
		return &Version{size: n.Size, why: o.base.why}
	}
	return nil
}

func (o *owner) setVersion(name string, v *Version) {
	old := o.versions[name]
	if old == v {
		return
	}
	if v == nil {
		delete(o.versions, name)
	} else {
		o.versions[name] = v
		o.polls.noteRead(name, old, v)
	}
	o.w.spill.unref(old)
}

// putTold sets what is told of name, with the parents that are missing.
func (o *owner) putTold(name string, i memstore.Info) {
	o.ensureParents(name)
	if old := o.told.Lookup(name); old != nil && old.Kind != i.Kind {
		o.forget(name)
	}
	o.told.Put(name, i)
}

func (o *owner) ensureParents(name string) {
	dir := path.Dir(name)
	if n := o.told.Lookup(dir); n != nil && n.Kind == memstore.KindDir {
		return
	}
	info := memstore.Info{Name: path.Base(dir), Kind: memstore.KindDir}
	if n := o.model.Lookup(dir); n != nil && n.Kind == memstore.KindDir {
		info = n.Info
	}
	o.putTold(dir, info)
}

// forget takes name and everything below it, if there is any, out of what is told.
func (o *owner) forget(name string) {
	n := o.told.Subtree(name)
	if n == nil {
		return
	}
	eachLeaf(name, n, func(at string, _ *memstore.Node) { o.setVersion(at, nil) })
	o.told.Remove(name)
}

// moveTold moves what is told, with the known contents.
func (o *owner) moveTold(from, to string) {
	n := o.told.Subtree(from)
	if n == nil {
		return
	}
	o.forget(to)
	o.told.Remove(from)
	o.ensureParents(to)
	o.told.Attach(to, n)
	eachLeaf(from, n, func(at string, leaf *memstore.Node) {
		v, name := o.versions[at], moved(at, from, to)
		delete(o.versions, at)
		if v != nil {
			o.versions[name] = v
		} else if leaf.Kind == memstore.KindFile {
			o.base.add(name)
		}
	})
}

// eachLeaf calls visit for n, or for everything below it that is no directory.
func eachLeaf(name string, n *memstore.Node, visit func(string, *memstore.Node)) {
	if n.Kind != memstore.KindDir {
		visit(name, n)
		return
	}
	for _, c := range n.Children {
		eachLeaf(join(name, c.Name), c, visit)
	}
}
