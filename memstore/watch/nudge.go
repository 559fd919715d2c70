package watch

import (
	"context"

	"memcurator/memstore"
)

// Begin implements [memstore.Recorder]. It records nothing: when one of our own edits has ended, its paths are handled as if there
// had been events, so that the tree shows the edit immediately, even where the system reports none.
func (w *Watcher) Begin(_ context.Context, e *memstore.Edit) (end func(error), err error) {
	var names []string
	for i := range e.Changes {
		c := &e.Changes[i]
		if c.OldPath != "" {
			names = append(names, memstore.BackendName(c.OldPath))
		}
		names = append(names, memstore.BackendName(c.Path))
	}
	if e.Command.Name == memstore.CmdDelete {
		if name, err := memstore.ParsePath(e.Command.Path); err == nil && name != "." {
			names = append(names, name)
		}
	}
	return func(error) { w.wishes.look(names) }, nil
}

// lookAt handles the names of our own finished edits.
func (o *owner) lookAt(names []string) {
	for _, name := range names {
		if o.scanning || o.gone != nil {
			return // the rest is in the scan's result
		}
		o.touch(event{name: name})
	}
}
