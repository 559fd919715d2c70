package watch

import (
	"context"
	"errors"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// Bell signals writes to one existing file as they happen, until ctx is done; then the channel is closed. Several writes may
// arrive as one signal. Only this file is watched, so writes to its neighbors cost nothing. A replaced file is not followed.
func Bell(ctx context.Context, file string) (<-chan struct{}, error) {
	f, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	if err := f.Add(file); err != nil {
		_ = f.Close() // nothing is watched
		return nil, err
	}
	rings := make(chan struct{}, 1)
	go func() {
		defer close(rings)
		stop := context.AfterFunc(ctx, func() { _ = f.Close() })
		defer stop()
		drain(f, func(e fsnotify.Event) {
			if e.Op.Has(fsnotify.Write) {
				signal(rings)
			}
			if e.Op.Has(fsnotify.Remove) {
				_ = f.Close() // there will be no more events; followers poll from now on
			}
		}, func() { signal(rings) })
	}()
	return rings, nil
}

// drain hands out events until f is closed. lost is called, beside heard, when some were dropped; other errors come from folders that have
// just gone. fsnotify holds its lock while it hands out some errors: they are taken by a goroutine of their own, since heard may need that
// lock to add watches.
func drain(f *fsnotify.Watcher, heard func(fsnotify.Event), lost func()) {
	var group sync.WaitGroup
	defer group.Wait()
	group.Go(func() {
		for err := range f.Errors {
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				lost()
			}
		}
	})
	for e := range f.Events {
		heard(e)
	}
}
