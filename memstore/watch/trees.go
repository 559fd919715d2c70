package watch

import (
	"context"
	"os"
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// Tree is a folder of which [Trees] reports changes.
type Tree struct {
	Dir  string
	Deep bool // also of the folders below it
	// Concerns chooses the files by their names; nil: all of them.
	Concerns func(name string) bool
}

// TreesOptions are how [Trees] watches. Folders and Changed have no default.
type TreesOptions struct {
	// Folders lists the paths of the folders in a folder.
	Folders func(dir string) []string
	// Changed is called with the number of a tree whenever something in it may have changed.
	Changed func(at int)
}

// The bounds of watches: systems have few, and an open store needs its own.
const (
	mostWatched = 1000 // of all trees
	mostOfTree  = 50
)

// Trees watches many trees at once, only their folders and only as many as the system can, until ctx ends. It reads no file, and nothing
// runs while nothing changes. Several trees may share folders. The error is that of a system which cannot watch.
func Trees(ctx context.Context, trees []Tree, o TreesOptions) error {
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer func() { _ = fs.Close() }() // it only watched
	w := &treesWatch{TreesOptions: o, fs: fs, trees: trees, of: map[string][]int{}, count: make([]int, len(trees))}
	for at, t := range trees {
		w.add(at, t.Dir)
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-fs.Events:
			if !ok {
				return nil
			}
			w.heard(e)
		case _, ok := <-fs.Errors:
			if !ok {
				return nil
			}
			for at := range trees { // events may be lost
				w.Changed(at)
			}
		}
	}
}

// treesWatch belongs to the goroutine of [Trees].
type treesWatch struct {
	TreesOptions
	fs    *fsnotify.Watcher
	trees []Tree
	of    map[string][]int // by folder: the trees it is watched for
	count []int            // by tree: its watched folders
}

// add watches a folder for a tree, and those below it if it is deep.
func (w *treesWatch) add(at int, dir string) {
	dir = filepath.Clean(dir)
	list, watched := w.of[dir]
	for _, known := range list {
		if known == at {
			return
		}
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
		for _, folder := range w.Folders(dir) {
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
			w.Changed(at)
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
			w.Changed(at)
		}
	}
}
