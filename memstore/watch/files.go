package watch

import (
	"context"
	"errors"
	"maps"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// filesEvery is how often followed files are looked at.
const filesEvery = 500 * time.Millisecond

// Files signals changes of single files, such as transcripts that are still growing, by their size and time, until ctx ends; then the
// channel is closed. It doesn't open the files: one may be a database, which loses its locks when another descriptor of it is closed.
func Files(ctx context.Context, names []string) <-chan struct{} {
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

// Folders signals the names of what is made, written, renamed or removed in folders, not below them, until ctx ends; then the channel is
// closed. nil stands for names that were lost. Where watching would open every file, it signals new and removed files by the time of the
// folder only.
func Folders(ctx context.Context, folders []string) (<-chan []string, error) {
	told := make(chan []string)
	if watchingOpens {
		changes := Files(ctx, folders)
		go func() {
			defer close(told)
			for range changes {
				select {
				case told <- nil:
				case <-ctx.Done():
					return
				}
			}
		}()
		return told, nil
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	watched := 0
	for _, name := range folders {
		if w.Add(name) == nil { // else it is gone, or there are too many watches
			watched++
		}
	}
	if watched == 0 && len(folders) > 0 {
		return nil, errors.Join(os.ErrNotExist, w.Close())
	}
	go func() {
		defer close(told)
		defer func() { _ = w.Close() }() // it only watched
		followFolders(ctx, w, told)
	}()
	return told, nil
}

// mostNames bounds the names that are gathered for one signal.
const mostNames = 1000

func followFolders(ctx context.Context, w *fsnotify.Watcher, told chan<- []string) {
	var pause <-chan time.Time // set while there is something to tell
	var out chan<- []string
	written, lost := map[string]bool{}, false
	for {
		var names []string
		if out != nil && !lost {
			names = slices.Sorted(maps.Keys(written))
		}
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			if e.Op == fsnotify.Chmod {
				continue
			}
			written[e.Name] = true
			lost = lost || len(written) > mostNames
		case _, ok := <-w.Errors:
			if !ok {
				return
			}
			lost = true
		case <-pause:
			pause, out = nil, told
			continue
		case out <- names:
			out, lost = nil, false
			clear(written)
			continue
		}
		if pause == nil && out == nil {
			pause = time.After(foldersPause)
		}
	}
}

// foldersPause is how long writes in followed folders are gathered: sessions write several lines in a second.
const foldersPause = 500 * time.Millisecond

// watchingOpens: kqueue watches descriptors, so that fsnotify opens every file of a folder that it watches.
const watchingOpens = runtime.GOOS == "darwin" || runtime.GOOS == "freebsd" || runtime.GOOS == "netbsd" ||
	runtime.GOOS == "openbsd" || runtime.GOOS == "dragonfly"

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
