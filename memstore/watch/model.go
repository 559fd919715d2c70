package watch

import (
	"errors"
	"path"
	"time"

	"github.com/fsnotify/fsnotify"

	"memcurator/memstore"
)

// tempAge is how long a temporary file is taken for a write under way. After
// that it is shown and reported like any file: nothing can hide behind a name.
const tempAge = 5 * time.Second

// takeEvents lets the model follow the events that have come.
func (o *owner) takeEvents() {
	events, lost := o.watches.take()
	if lost {
		o.scan()
		return
	}
	for i, e := range events {
		if i+1 < len(events) && events[i+1].name == e.name {
			next := &events[i+1] // one check serves both
			if next.from == "" && !next.op.Has(fsnotify.Create) {
				next.from = e.from
			}
			next.op |= e.op
			continue
		}
		o.touch(e)
		if o.w.options.onModel != nil {
			o.w.options.onModel(e.name)
		}
		if o.scanning || o.gone != nil {
			return // the rest is in the scan's result
		}
	}
}

// touch checks a name that may have changed in any way, and brings the model up to date. What changed is found out later, by the
// comparison that settle starts.
func (o *owner) touch(e event) {
	name, op := e.name, e.op
	away := op&(fsnotify.Remove|fsnotify.Rename) != 0
	if name == "." {
		if away || op.Has(fsnotify.Chmod) {
			o.checkRoot()
		}
		return
	}
	old := o.model.Lookup(name)
	if old == nil && memstore.TempName(path.Base(name)) && o.isYoungTemp(name) {
		return
	}
	wasDir := old != nil && old.Kind == memstore.KindDir
	if away {
		o.unwatch(name) // whether or not the model knew a folder there
	}
	info, err := o.backend.Lstat(name)
	switch {
	case errors.Is(err, memstore.ErrUnavailable):
		o.lose(err)
		return
	case memstore.IsAbsent(err):
		if old != nil {
			o.unwatch(name)
			o.model.Remove(name)
		}
	case err != nil:
		// The folder cannot be entered: what is known of it stays.
		if n := o.model.Lookup(path.Dir(name)); n != nil && n.Kind == memstore.KindDir {
			o.model.SetProblem(path.Dir(name), err)
			o.changed()
		}
		return
	case info.Kind == memstore.KindDir:
		if wasDir && !away && !op.Has(fsnotify.Chmod) && old.ID == info.ID && (o.watches == nil || o.watches.has(name)) {
			o.model.Put(name, info)
			o.changed()
			return
		}
		o.enter(name)
	default:
		if wasDir {
			o.unwatch(name)
		}
		if !o.model.Put(name, info) {
			o.enterMissing(name)
		}
	}
	o.changed()
	u := o.mark(name, e.from)
	if op.Has(fsnotify.Create) {
		u.from = e.from // whatever was there before, this is new
	}
	is := o.model.Lookup(name)
	if old != nil && (is == nil || is.ID != old.ID) && u.was == (memstore.FileID{}) {
		u.was = old.ID
	}
	u.named = u.named || (old == nil) != (is == nil) || is != nil && old.Kind != is.Kind
	if is != nil && is.Kind == memstore.KindFile && (old == nil || !sameStat(&old.Info, &is.Info)) {
		o.readAgain(name)
	}
}

// sameStat reports whether two calls of Lstat saw the same file with the same stamps.
func sameStat(a, b *memstore.Info) bool {
	return a.Kind == b.Kind && a.ID == b.ID && a.Size == b.Size && a.ModTime.Equal(b.ModTime)
}

// enter watches and reads the folder at name with everything below it. The
// caller has seen that it is one; it may have gone since.
func (o *owner) enter(name string) {
	options := memstore.ScanOptions{Name: name}
	o.unwatch(name)
	if o.watches != nil {
		options.Visit = o.watches.add
	}
	s, err := o.w.store.ScanFrom(o.ctx, options)
	switch {
	case errors.Is(err, memstore.ErrUnavailable):
		o.lose(err)
		return
	case memstore.IsAbsent(err):
		// Gone or replaced: another event is coming.
		o.model.Remove(name)
		return
	case err != nil:
		return // ctx has ended
	}
	if !o.model.Attach(name, o.keepKnown(s.Root, o.model.Subtree(name))) {
		o.enterMissing(name)
	}
	o.mark(name, "").named = true
	o.judge()
}

// enterMissing reads the topmost folder above name that the model lacks.
func (o *owner) enterMissing(name string) {
	for i, c := range name {
		if c != '/' {
			continue
		}
		if n := o.model.Lookup(name[:i]); n == nil || n.Kind != memstore.KindDir {
			if info, err := o.backend.Lstat(name[:i]); err == nil && info.Kind == memstore.KindDir {
				o.enter(name[:i])
			}
			return
		}
	}
}

// keepKnown keeps in folders that could not be read the children last known of
// them: unreadable is not empty.
func (o *owner) keepKnown(now, before *memstore.Node) *memstore.Node {
	if before == nil {
		return now
	}
	if now.Problem != nil && len(now.Children) == 0 {
		if before.Kind != memstore.KindDir {
			return now
		}
		n := *now
		n.Children, n.Files, n.Bytes = before.Children, before.Files, before.Bytes
		return &n
	}
	var n *memstore.Node
	for i, c := range now.Children {
		if c.Kind != memstore.KindDir {
			continue
		}
		kept := o.keepKnown(c, before.Child(c.Name))
		if kept == c {
			continue
		}
		if n == nil {
			clone := *now
			clone.Children = append([]*memstore.Node(nil), now.Children...)
			n = &clone
		}
		n.Children[i] = kept
		n.Files += kept.Files - c.Files
		n.Bytes += kept.Bytes - c.Bytes
	}
	if n != nil {
		return n
	}
	return now
}

// unwatch removes the watches of name and of everything below it.
func (o *owner) unwatch(name string) {
	if o.watches != nil {
		o.watches.remove(name)
	}
}

// isYoungTemp notes a temporary file, to be checked when it should be gone.
func (o *owner) isYoungTemp(name string) bool {
	now := time.Now()
	first, ok := o.temps[name]
	if !ok {
		o.temps[name] = now
		if o.tempAt.IsZero() {
			o.tempAt = now.Add(tempAge)
		}
		return true
	}
	return now.Sub(first) < tempAge
}

// lookAtTemps forgets the temporary files that are gone and shows the others.
func (o *owner) lookAtTemps(now time.Time) {
	o.tempAt = time.Time{}
	for name, first := range o.temps {
		if age := now.Sub(first); age < tempAge {
			if at := first.Add(tempAge); o.tempAt.IsZero() || at.Before(o.tempAt) {
				o.tempAt = at
			}
			continue
		}
		if _, err := o.backend.Lstat(name); err == nil {
			o.touch(event{name: name})
		}
		delete(o.temps, name)
	}
}
