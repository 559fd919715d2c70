package watch

import (
	"time"

	"memcurator/memstore"
)

// scanned is what a scan has found, so far or in all.
type scanned struct {
	tree *memstore.Snapshot
	err  error
	done bool
}

// scan reads the whole tree in the background, with fresh watches: after a loss
// of events the old ones may belong to the wrong folders.
func (o *owner) scan() {
	if o.scanning {
		o.again = true
		return
	}
	o.scanning, o.again = true, false
	if o.watches != nil {
		o.watches.close()
		o.watches = nil
	}
	o.watches = openWatches(o.disk, &o.w.options)
	options := memstore.ScanOptions{Visit: o.watches.add}
	send := func(s scanned) {
		select {
		case o.scans <- s:
		case <-o.ctx.Done():
		}
	}
	if !o.loaded {
		options.Report = func(s *memstore.Snapshot) { send(scanned{tree: s}) }
	}
	o.group.Go(func() {
		s, err := o.w.store.ScanFrom(o.ctx, options)
		send(scanned{tree: s, err: err, done: true})
	})
}

// takeScan takes a report or the result of a scan.
func (o *owner) takeScan(s scanned) {
	if !s.done {
		o.out.loading = s.tree
		o.changed()
		return
	}
	o.scanning = false
	switch {
	case o.ctx.Err() != nil:
		return
	case s.err != nil:
		o.lose(s.err)
		return
	case o.emptied(s.tree.Root):
		o.lose(errEmptied)
		return
	}
	o.rootID = s.tree.Root.ID
	known := o.known.Root
	o.model = memstore.NewTree(&memstore.Snapshot{Root: o.keepKnown(s.tree.Root, known), Complete: true})
	o.gone = nil
	if o.loaded {
		o.markAll(time.Now())
	} else {
		o.adopt()
	}
	o.judge()
	o.changed()
	if o.again {
		o.scan()
	}
}

// adopt takes the first complete tree.
func (o *owner) adopt() {
	o.loaded = true
	o.out.loading = nil
	o.known = o.model.Snapshot()
	o.known.Walk(func(path string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile && time.Since(n.ModTime) < racyFor {
			o.readAgain(memstore.BackendName(path))
		}
		return true
	})
}

// racyFor is the coarsest step of the clocks of file systems: a file that was read less than that after its stamp may
// have changed since under the same stamp.
const racyFor = 2 * time.Second
