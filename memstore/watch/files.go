package watch

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// filesPause is how long writes to followed files are gathered.
const filesPause = 100 * time.Millisecond

// Files tells of writes to single files, such as transcripts that are still growing, until ctx ends;
// then the channel is closed. What is written while nobody takes the word is told once. Files that are
// replaced go on being followed: their folders are watched. Nothing of the files is read.
func Files(ctx context.Context, names []string) (<-chan struct{}, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, name := range names {
		full, err := filepath.Abs(name)
		if err == nil {
			err = w.Add(filepath.Dir(full))
		}
		if err != nil {
			_ = w.Close() // nothing is watched
			return nil, err
		}
		wanted[full] = true
	}
	told := make(chan struct{})
	go func() {
		defer close(told)
		defer func() { _ = w.Close() }() // it only watched
		followFiles(ctx, w, wanted, told)
	}()
	return told, nil
}

func followFiles(ctx context.Context, w *fsnotify.Watcher, wanted map[string]bool, told chan<- struct{}) {
	var pause <-chan time.Time // set while there is something to tell
	var out chan<- struct{}
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			if wanted[e.Name] && e.Op != fsnotify.Chmod && pause == nil && out == nil {
				pause = time.After(filesPause)
			}
		case _, ok := <-w.Errors:
			if !ok {
				return
			}
			out = told // something was lost: whoever follows looks
		case <-pause:
			pause, out = nil, told
		case out <- struct{}{}:
			out = nil
		}
	}
}
