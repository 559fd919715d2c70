package watch

import (
	"context"

	"github.com/fsnotify/fsnotify"
)

// Bell signals writes to one existing file as they happen, until ctx is done; then the channel is closed. Several writes may
// arrive as one signal. Only this file is watched, so writes to its neighbors cost nothing. A replaced file is not followed.
func Bell(ctx context.Context, file string) (<-chan struct{}, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	if err := w.Add(file); err != nil {
		_ = w.Close() // nothing is watched
		return nil, err
	}
	rings := make(chan struct{}, 1)
	go func() {
		defer close(rings)
		defer func() { _ = w.Close() }() // it only watched
		for {
			select {
			case <-ctx.Done():
				return
			case e, ok := <-w.Events:
				if !ok {
					return
				}
				if e.Op.Has(fsnotify.Write) {
					signal(rings)
				}
				if e.Op.Has(fsnotify.Remove) {
					return // there will be no more events; followers poll from now on
				}
			case _, ok := <-w.Errors:
				if !ok {
					return
				}
				signal(rings) // some may be lost
			}
		}
	}()
	return rings, nil
}
