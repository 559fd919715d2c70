package watch

import (
	"errors"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/fsnotify/fsnotify"

	"memcurator/memstore"
)

// onDisk is the location of a store; the zero onDisk is nowhere.
type onDisk struct {
	root   string             // disk path of the directory
	namer  memstore.DiskNamer // set with root
	backed memstore.Adapted   // set, and root empty, if all entries are in a few files
}

// diskOf returns the location of a backend's store.
func diskOf(b memstore.Backend) onDisk {
	switch b := b.(type) {
	case memstore.DiskNamer:
		return onDisk{root: b.Path(), namer: b}
	case memstore.Adapted:
		return onDisk{backed: b}
	}
	return onDisk{}
}

// path is where fsnotify looks for name.
func (d onDisk) path(name string) string {
	return filepath.Join(d.root, filepath.FromSlash(d.namer.DiskName(name)))
}

// name is the opposite of path; ok is false for a path that is not in the store.
func (d onDisk) name(file string) (name string, ok bool) {
	name, err := filepath.Rel(d.root, file)
	if err != nil || !filepath.IsLocal(name) {
		return "", false
	}
	return d.namer.StoreName(filepath.ToSlash(name))
}

// watches are those of fsnotify on the folders of a store. Several goroutines of a scan use it.
type watches struct {
	disk   onDisk
	fs     *fsnotify.Watcher // nil: nothing is watched
	system *system

	mu     sync.Mutex
	silent string // see why
}

func openWatches(disk onDisk, m *marks, s *system) *watches {
	w := &watches{disk: disk, system: s}
	if disk.root == "" {
		if disk.backed == nil { // of a few files, a look is as good as an event
			w.silent = "This store doesn't report changes"
		}
		return w
	}
	f, err := fsnotify.NewWatcher()
	if err != nil {
		w.silent = "The system ran out of watches"
		return w
	}
	w.fs = f
	// It never waits for the loop, so that the queue of the system stays short.
	go drain(f, func(e fsnotify.Event) {
		if name, ok := disk.name(e.Name); ok && !memstore.InGit(name) {
			m.add(false, false, name)
		}
	}, func() { m.add(true, true) })
	return w
}

// add watches a folder. It is called before the folder is read, so that nothing that happens after the reading is missed.
func (w *watches) add(name string, _ memstore.Info) {
	if w.fs == nil {
		return
	}
	file := w.disk.path(name)
	err := w.system.add(file)
	if err == nil {
		err = w.fs.Add(file)
	}
	switch {
	case err == nil:
		if kind := silentKind(file); kind != "" {
			w.poll("The file system (" + kind + ") doesn't report all changes")
		}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, fsnotify.ErrClosed):
		// Vanished again, or unreadable: reading it will show which.
	default: // inotify reports ENOSPC, kqueue, which opens a file for each, that too many are open
		w.poll("The system watches no more folders")
	}
}

func (w *watches) poll(why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.silent = why
}

// why is why the store must be polled, as the beginning of a sentence; empty: each change has an event.
func (w *watches) why() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.silent
}

func (w *watches) close() {
	if w != nil && w.fs != nil {
		_ = w.fs.Close() // it only watched
	}
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
