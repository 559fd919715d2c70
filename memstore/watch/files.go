package watch

import (
	"context"
	"os"
	"slices"
	"time"
)

// filesEvery is how often followed files are looked at.
const filesEvery = 500 * time.Millisecond

// files signals changes of the files that a store is kept in, by their size and time, until ctx ends; then the
// channel is closed. It doesn't open the files: one may be a database, which loses its locks when another descriptor of it is closed.
func files(ctx context.Context, names []string) <-chan struct{} {
	told, last := make(chan struct{}), stampsOf(names)
	go func() {
		defer close(told)
		ticker := time.NewTicker(filesEvery)
		defer ticker.Stop()
		var out chan<- struct{}
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				if now := stampsOf(names); !slices.Equal(now, last) {
					last, out = now, told
				}
			case out <- struct{}{}:
				out = nil
			}
		}
	}()
	return told
}

// fileStamp changes with every write to a file.
type fileStamp struct {
	size     int64
	modified time.Time
}

// stampsOf looks at files by their names; a missing one has the zero stamp.
func stampsOf(names []string) []fileStamp {
	list := make([]fileStamp, len(names))
	for i, name := range names {
		if info, err := os.Stat(name); err == nil {
			list[i] = fileStamp{info.Size(), info.ModTime()}
		}
	}
	return list
}
