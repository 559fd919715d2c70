package watch

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/fsnotify/fsnotify"
)

// Tree is a folder of which [Trees] reports changes.
type Tree struct {
	Dir  string
	Deep bool // also of the folders below it
	// Concerns chooses the files by their names; nil: all of them.
	Concerns func(name string) bool
}

// The bounds of watches: systems have few, and an open store needs its own.
const (
	mostWatched = 1000 // of all trees
	mostOfTree  = 50
)

// Trees watches many trees at once, only their folders and only as many as the system can, until ctx ends. It reads no file, and nothing
// runs while nothing changes. Several trees may share folders. folders lists the paths of the folders in a folder; changed is called with
// the number of a tree whenever something in it may have changed. The error is that of a system which cannot watch.
func Trees(ctx context.Context, trees []Tree, folders func(dir string) []string, changed func(at int)) error {
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = fs.Close() })() // it only watched
	w := &treesWatch{fs: fs, trees: trees, folders: folders, changed: changed, of: map[string][]int{}, count: make([]int, len(trees))}
	for at, t := range trees {
		w.add(at, t.Dir)
	}
	drain(fs, w.heard, func() {
		for at := range trees {
			changed(at)
		}
	})
	return nil
}

// treesWatch belongs to the goroutine of [Trees].
type treesWatch struct {
	fs      *fsnotify.Watcher
	trees   []Tree
	folders func(dir string) []string
	changed func(at int)
	of      map[string][]int // by folder: the trees it is watched for
	count   []int            // by tree: its watched folders
}

// add watches a folder for a tree, and those below it if it is deep.
func (w *treesWatch) add(at int, dir string) {
	dir = filepath.Clean(dir)
	list, watched := w.of[dir]
	if slices.Contains(list, at) {
		return
	}
	if w.count[at] >= mostOfTree || !watched && len(w.of) >= mostWatched || silentKind(dir) != "" {
		return
	}
	if !watched && w.fs.Add(dir) != nil {
		return
	}
	w.of[dir] = append(list, at)
	w.count[at]++
	if w.trees[at].Deep {
		for _, folder := range w.folders(dir) {
			w.add(at, folder)
		}
	}
}

// heard passes on an event.
func (w *treesWatch) heard(e fsnotify.Event) {
	name := filepath.Clean(e.Name)
	if list, is := w.of[name]; is && e.Op.Has(fsnotify.Remove|fsnotify.Rename) { // the folder itself is gone
		delete(w.of, name)
		_ = w.fs.Remove(name) // the system has done that, unless it was renamed
		for _, at := range list {
			w.count[at]--
			w.changed(at)
		}
		return
	}
	for _, at := range w.of[filepath.Dir(name)] {
		t := &w.trees[at]
		if t.Deep && e.Op.Has(fsnotify.Create) {
			if info, err := os.Lstat(name); err == nil && info.IsDir() {
				w.add(at, name)
			}
		}
		if t.Concerns == nil || t.Concerns(filepath.Base(name)) {
			w.changed(at)
		}
	}
}
