package watch

import (
	"context"

	"memcurator/memstore"
)

// Begin implements [memstore.Recorder]. It records nothing: when an edit of our own has ended its paths are looked at, as if
// there had been events, so that the tree shows it at once where the system tells of nothing.
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

// lookAt takes what of our own edits has ended.
func (o *owner) lookAt(names []string) {
	for _, name := range names {
		if o.scanning || o.gone != nil {
			return // what is left is in the result
		}
		o.touch(event{name: name})
	}
}
