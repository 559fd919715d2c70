package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"memcurator/memstore"
)

const (
	// pollEach is the shortest time between two polls of the folders without events. After a poll nothing is done for pollShare times as
	// long as it took.
	pollEach  = 2 * time.Second
	pollShare = 50
	// filesEach is how often the files are looked at that a [memstore.FileBacked] is kept in.
	filesEach = 500 * time.Millisecond
)

// onDisk is the location of a store; the zero onDisk is nowhere.
type onDisk struct {
	root   string              // disk path of the directory
	namer  memstore.DiskNamer  // nil: names on disk are those of the store
	backed memstore.FileBacked // set, and root empty, if all entries are in a few files
}

// diskOf returns the location of a backend's store.
func diskOf(b memstore.Backend) onDisk {
	switch b := b.(type) {
	case memstore.DiskPather:
		return onDisk{root: b.Path()}
	case memstore.DiskNamer:
		return onDisk{root: b.DiskPath(), namer: b}
	case memstore.FileBacked:
		return onDisk{backed: b}
	}
	return onDisk{}
}

// path is where fsnotify looks for name.
func (d onDisk) path(name string) string {
	if name == "." {
		return d.root
	}
	if d.namer != nil {
		name = d.namer.DiskName(name)
	}
	return d.root + string(filepath.Separator) + filepath.FromSlash(name)
}

// name is the opposite of path; ok is false for a path that is not in the store.
func (d onDisk) name(file string) (name string, ok bool) {
	if file == d.root {
		return ".", true
	}
	rest, ok := strings.CutPrefix(file, d.root)
	if !ok || len(rest) < 2 || rest[0] != filepath.Separator {
		return "", false
	}
	name = filepath.ToSlash(rest[1:])
	if d.namer != nil {
		return d.namer.StoreName(name)
	}
	return name, true
}

// watches are the folders that fsnotify watches, and those that must be polled instead or as well. Several goroutines of a scan use it.
type watches struct {
	disk   onDisk
	fs     *fsnotify.Watcher // nil: nothing is watched, for the reason in none
	none   string
	system *system
	done   chan struct{} // closed when the pump has ended

	mu    sync.Mutex
	on    map[string]memstore.FileID
	names map[memstore.FileID]string // the opposite
	deaf  map[string]string          // folders without events, or without all of them; and why, as the beginning of a sentence
}

func openWatches(disk onDisk, m *marks, s *system) *watches {
	w := &watches{disk: disk, system: s, done: make(chan struct{}), on: map[string]memstore.FileID{},
		names: map[memstore.FileID]string{}, deaf: map[string]string{}}
	if disk.root == "" {
		w.none = "This store doesn't report changes"
	} else if f, err := fsnotify.NewWatcher(); err != nil {
		w.none = "The system ran out of watches"
	} else {
		w.fs = f
		go w.pump(m)
		return w
	}
	close(w.done)
	return w
}

// pump marks the names of events. It must never wait for the loop: fsnotify holds its lock while it hands out some errors, and the loop
// needs that lock to add and remove watches.
func (w *watches) pump(m *marks) {
	defer close(w.done)
	drain(w.fs, func(e fsnotify.Event) {
		if name, ok := w.disk.name(e.Name); ok && !memstore.InGit(name) {
			m.event(name, e.Op.Has(fsnotify.Remove) || e.Op.Has(fsnotify.Rename))
		}
	}, func() { m.now(nil, true) })
}

// add watches a folder. It is called before the folder is read, so that nothing that happens after the reading is missed.
//
// A folder that was moved here may still be watched under its old name, as long as the event of the move waits. fsnotify would keep
// reporting it there, and drop it when the event comes: so the old watch is removed first.
func (w *watches) add(name string, i memstore.Info) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fs == nil {
		w.deaf[name] = w.none
		return
	}
	id, is := w.on[name]
	if is && id == i.ID {
		return
	}
	if is {
		w.remove(name)
	}
	if old, is := w.names[i.ID]; is {
		w.remove(old)
	}
	file := w.disk.path(name)
	err := w.system.add(file)
	if err == nil {
		err = w.fs.Add(file)
	}
	switch {
	case err == nil:
		w.on[name] = i.ID
		if i.ID != (memstore.FileID{}) {
			w.names[i.ID] = name
		}
		delete(w.deaf, name)
		if kind := silentKind(file); kind != "" {
			w.deaf[name] = "The file system (" + kind + ") doesn't report all changes"
		}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, fsnotify.ErrClosed):
		// Vanished again, or unreadable: reading it will show which.
	case isLimit(err):
		w.deaf[name] = "The system watches no more folders"
	default:
		w.deaf[name] = "The system does not watch every folder"
	}
}

// isLimit reports whether the system has run out of watches: inotify reports ENOSPC, kqueue, which opens a file for each, that too many
// files are open.
func isLimit(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// remove ends one watch; mu is held.
func (w *watches) remove(name string) {
	if id := w.on[name]; w.names[id] == name {
		delete(w.names, id)
	}
	delete(w.on, name)
	_ = w.fs.Remove(w.disk.path(name)) // gone already: as good
}

// forget ends the watches of folders that were moved or removed, and of those below them: fsnotify keeps these under their old names.
func (w *watches) forget(moved map[string]bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(moved) == 0 {
		return
	}
	for name := range w.on {
		for at := name; at != "."; at = path.Dir(at) {
			if moved[at] {
				w.remove(name)
				break
			}
		}
	}
	if _, is := w.on["."]; is && moved["."] {
		w.remove(".")
	}
}

// prune forgets the folders without events that a tree doesn't have.
func (w *watches) prune(tree *memstore.Snapshot) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for name := range w.deaf {
		if n := find(tree, name); n == nil || n.Kind != memstore.KindDir {
			delete(w.deaf, name)
		}
	}
}

// covers reports whether a folder needs no reading without an event, or until the next poll.
func (w *watches) covers(name string, id memstore.FileID) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	on, is := w.on[name]
	return is && on == id || w.deaf[name] != ""
}

// deafNames lists the folders to poll.
func (w *watches) deafNames() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	names := make([]string, 0, len(w.deaf))
	for name := range w.deaf {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// note is what the folders without events mean for the user, or empty.
func (w *watches) note(every time.Duration) string {
	names := w.deafNames()
	if len(names) == 0 || w.disk.backed != nil { // of a few files, a look is as good as an event
		return ""
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return fmt.Sprintf("%s. Edits by other programs show up within %d seconds", w.deaf[names[0]],
		max(1, int(every.Round(time.Second)/time.Second)))
}

func (w *watches) close() {
	if w == nil {
		return
	}
	if w.fs != nil {
		_ = w.fs.Close() // it only watched
	}
	<-w.done
}
