package watch

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// fileSettles is how long a file must be quiet before it is reported: editors write in several steps.
const fileSettles = 50 * time.Millisecond

// File signals whenever one of a few files outside of a store may have changed: written, replaced by a
// rename, made or removed, also where it is a link, and where its folder does not exist yet. Who
// listens reads the files and judges; several changes may be told as one. The channel closes when
// ctx ends. The error is that of a system which cannot watch; nothing is polled.
func File(ctx context.Context, paths ...string) (<-chan struct{}, error) {
	w := &fileWatch{dirs: map[string]bool{}}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		w.files = append(w.files, followed{path: path})
	}
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w.fs = fs
	if err := w.aim(); err != nil {
		_ = fs.Close()
		return nil, err
	}
	out := make(chan struct{}, 1)
	go w.run(ctx, out)
	return out, nil
}

// fileWatch watches folders, not the files: a file that is replaced by a rename takes its watch along.
type fileWatch struct {
	fs    *fsnotify.Watcher
	files []followed
	dirs  map[string]bool // what is watched
}

// followed is one of the files.
type followed struct {
	path   string
	target string // the file behind a link; path if it is not one
}

// aim watches the folders of the files and of what is behind them, or, where those do not
// exist, the nearest folder above that does.
func (w *fileWatch) aim() error {
	for {
		want := map[string]bool{}
		var failed error
		for i := range w.files {
			f := &w.files[i]
			f.target = f.path
			if target, err := filepath.EvalSymlinks(f.path); err == nil {
				f.target = target
			}
			for _, dir := range []string{filepath.Dir(f.path), filepath.Dir(f.target)} {
				at, err := w.nearest(dir)
				if err != nil {
					failed = err
					continue
				}
				want[at] = true
			}
		}
		for dir := range w.dirs {
			if !want[dir] {
				_ = w.fs.Remove(dir) // it may be gone already
			}
		}
		grown := false
		for dir := range want {
			grown = grown || !w.dirs[dir]
		}
		w.dirs = want
		// A folder that was made while its parent was looked at is seen in the next round.
		if !grown || failed != nil {
			return failed
		}
	}
}

// nearest watches dir or the first folder above it that can be watched.
func (w *fileWatch) nearest(dir string) (string, error) {
	for {
		err := w.fs.Add(dir)
		if err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", err
		}
		dir = up
	}
}

// run waits for events; its timer runs only after one.
func (w *fileWatch) run(ctx context.Context, out chan<- struct{}) {
	defer close(out)
	defer w.fs.Close()
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.fs.Events:
			if !ok {
				return
			}
			if w.concerns(e) {
				timer.Reset(fileSettles)
			}
		case _, ok := <-w.fs.Errors:
			if !ok {
				return
			}
			timer.Reset(fileSettles) // events may have been lost
		case <-timer.C:
			_ = w.aim() // what can be watched is
			select {
			case out <- struct{}{}:
			default: // signalled already, and not received yet
			}
		}
	}
}

// concerns reports whether an event is about one of the files, or about a folder on the way to it.
func (w *fileWatch) concerns(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	name := filepath.Clean(e.Name)
	for _, f := range w.files {
		for _, path := range []string{f.path, f.target} {
			if name == path || strings.HasPrefix(path, name+string(filepath.Separator)) {
				return true
			}
		}
	}
	return false
}
