// Package memtest holds test material that any implementation of the memory
// tool, and any program that shows a memory directory, can use: the conformance
// vectors of the three dialects with a suite that runs them on any handler ([Run]), and
// one store made of everything that is awkward on disk ([Hostile]).
//
// Tests import it, and the command that runs the vectors on other programs. It writes
// below the directory it is given and into one sibling of it, nowhere else. It
// imports the standard library only, nothing of memstore: the tests inside package
// memstore could not use it otherwise, and the vectors must not come from what they judge.
package memtest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Secret is the content of every file outside the hostile store. Where a program
// under test shows or changes it, a link has led it out.
const Secret = "outside the store: never shown, never changed\n"

// Leads says where a link goes.
type Leads uint8

// The ends that a link may have. LeadsNowhere is for items that are not links.
const (
	leadsNowhere Leads = iota
	LeadsInside
	leadsOutside
	leadsDangling
	leadsLoop
)

// Item is one thing in the hostile store.
type Item struct {
	// Path is slash-separated and relative to the store; its bytes are those on
	// disk, which may be no UTF-8 and may hold control characters.
	Path string
	// What says in a few words what is awkward here; good for the name of a subtest.
	What string
	// Type holds the type bits of the path itself, links not followed; 0 for a regular file.
	Type fs.FileMode
	// Leads is where a link goes.
	Leads Leads
	// Size is the number of bytes of a regular file.
	Size int64
	// Valid reports that the bytes of a regular file are UTF-8.
	Valid bool
	// Named reports that an agent can write the path: it is UTF-8 without control
	// characters, and no segment reads as "..".
	Named bool
	// Hidden reports that listings leave the item out: a dot name, node_modules,
	// or below one.
	Hidden bool
	// Sealed reports a folder that its owner may not read. Root can read it nevertheless.
	Sealed bool
}

// Report says what [Hostile.Write] made.
type Report struct {
	Dir     string // the store
	Outside string // the folder beside it that outward links lead to
	// Items are in the order in which they were made. Folders that are there only to
	// hold an item, and what is in a sealed folder, are not among them.
	Items []Item
	// Skipped names what this system or file system cannot hold, one sentence each.
	Skipped []string
}

// Restore opens the sealed folders again, without which a user other than root
// cannot remove the store. Give it to t.Cleanup.
func (r Report) Restore() error {
	var first error
	for _, it := range r.Items {
		if !it.Sealed {
			continue
		}
		if err := os.Chmod(filepath.Join(r.Dir, filepath.FromSlash(it.Path)), 0o700); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Hostile are the settings for the parts that cost time and disk.
type Hostile struct {
	LineBytes int64 // of the file that is a single line; 0: 1 MB
	Lines     int   // of the file with very many lines; 0: no such file
}

// Write makes the hostile store in dir, which must be missing or empty and whose parent must be writable. Call
// [Report.Restore] before removing it, also after an error.
func (h Hostile) Write(dir string) (Report, error) {
	if h.LineBytes == 0 {
		h.LineBytes = 1 << 20
	}
	w := &hostileWriter{Report: Report{Dir: dir, Outside: dir + "-outside"}}
	w.ground()
	w.contents()
	w.names()
	w.folders()
	w.links()
	w.large(h)
	w.special()
	w.sealed() // last: nothing can be made below it afterwards
	return w.Report, w.err
}

// hostileWriter keeps the first error; every step after it does nothing.
type hostileWriter struct {
	Report
	err error
}

func (w *hostileWriter) ground() {
	for _, dir := range []string{w.Dir, w.Outside, filepath.Join(w.Outside, "folder")} {
		w.must(os.MkdirAll(dir, 0o700))
	}
	for _, name := range []string{"secret.md", "folder/secret.md"} {
		w.must(os.WriteFile(filepath.Join(w.Outside, name), []byte(Secret), 0o600))
	}
}

func (w *hostileWriter) must(err error) {
	if w.err == nil && err != nil {
		w.err = fmt.Errorf("hostile store: %w", err)
	}
}

func (w *hostileWriter) disk(path string) string {
	return filepath.Join(w.Dir, filepath.FromSlash(path))
}

// add puts it into the report once make has made it. What a system cannot hold
// is skipped only where optional says that this can be expected somewhere.
func (w *hostileWriter) add(it Item, optional bool, make func(disk string) error) {
	if w.err != nil {
		return
	}
	err := make(w.disk(it.Path))
	switch {
	case err == nil:
		w.Items = append(w.Items, it)
	case optional:
		w.Skipped = append(w.Skipped, fmt.Sprintf("%s (%q) cannot be made here.", it.What, it.Path))
	default:
		w.must(err)
	}
}

// write makes a file that must not be there yet: on file systems that fold case
// or normal forms two names of ours may be one.
func write(data string) func(string) error {
	return func(disk string) error {
		f, err := os.OpenFile(disk, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		_, err = f.WriteString(data)
		if closing := f.Close(); err == nil {
			err = closing
		}
		return err
	}
}

func mkdir(disk string) error { return os.MkdirAll(disk, 0o700) }

func (w *hostileWriter) folders() {
	deep := "deep"
	for i := 1; i <= deepLevels; i++ {
		deep += fmt.Sprintf("/%02d", i)
	}
	w.add(Item{Path: deep, What: "a folder very deep down", Type: fs.ModeDir, Named: true}, false, mkdir)
	w.file(deep+"/bottom.md", "a file very deep down", "here at last\n")
	w.add(Item{Path: "empty-folder", What: "an empty folder", Type: fs.ModeDir, Named: true}, false, mkdir)
	for _, f := range []struct{ path, what, data string }{
		{"node_modules/left/index.js", "a file in node_modules", "module.exports = 1\n"},
		{".git/HEAD", "a file in a hidden folder", "ref: refs/heads/main\n"},
		{".git/objects/ab/cdef", "a file deep in a hidden folder", "\x00\x01\x02\n"},
		{".hidden.md", "a hidden file", "not listed\n"},
		{"work/node_modules/x.md", "a file in node_modules further down", "not listed\n"},
		{"work/seen.md", "a file beside a node_modules", "listed\n"},
	} {
		if w.err == nil {
			w.must(mkdir(filepath.Dir(w.disk(f.path))))
		}
		w.file(f.path, f.what, f.data)
	}
}

// deepLevels is how many folders are nested in "deep".
const deepLevels = 50

func (w *hostileWriter) sealed() {
	for _, dir := range []string{"sealed", "work/sealed"} {
		it := Item{Path: dir, What: dir + ", a folder that may not be read", Type: fs.ModeDir, Named: true, Sealed: true}
		w.add(it, true, func(disk string) error {
			if err := mkdir(disk); err != nil {
				return err
			}
			if err := write("locked in\n")(filepath.Join(disk, "inside.md")); err != nil {
				return err
			}
			return seal(disk)
		})
	}
}
