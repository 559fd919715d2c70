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
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Secret is the content of every file outside the hostile store. Where a program
// under test shows or changes it, a link has led it out.
const Secret = "outside the store: never shown, never changed\n"

// Item is one thing in the hostile store.
type Item struct {
	// Path is slash-separated and relative to the store; its bytes are those on
	// disk, which may be no UTF-8 and may hold control characters.
	Path string
	// What says in a few words what is awkward here; good for the name of a subtest.
	What string
	// Type holds the type bits of the path itself, links not followed; 0 for a regular file.
	Type fs.FileMode
	// Inside reports a link that stays in the store.
	Inside bool
	// Readable reports a regular file of UTF-8 whose path an agent can write: it is UTF-8 without control characters, and no segment
	// reads as "..".
	Readable bool
}

// Hostile makes the hostile store in dir, which must be missing or empty and whose parent must be writable. One file is a single line of
// lineBytes. Items that this system can't hold are left out, and so are folders that are there only to hold one.
func Hostile(t testing.TB, dir string, lineBytes int) []Item {
	t.Helper()
	w := &hostileWriter{dir: dir, outside: dir + "-outside"}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	WriteFiles(t, w.outside, map[string]string{"secret.md": Secret, "folder/secret.md": Secret})
	w.contents()
	w.names()
	w.folders()
	w.links()
	w.file("one-line.txt", "a very long single line", strings.Repeat("0123456789abcdef", lineBytes/16))
	// Opening a FIFO for reading waits for a writer that never comes.
	w.add(Item{Path: "pipe", What: "a FIFO", Type: fs.ModeNamedPipe}, makeFIFO)
	w.add(Item{Path: "work/pipe.md", What: "a FIFO named like a note", Type: fs.ModeNamedPipe}, makeFIFO)
	return w.items
}

// hostileWriter lists what it has made.
type hostileWriter struct {
	dir, outside string // the store, and the folder beside it that outward links lead to
	items        []Item
}

// add lists what make has made. What a system cannot hold is left out.
func (w *hostileWriter) add(it Item, make func(disk string) error) {
	disk := filepath.Join(w.dir, filepath.FromSlash(it.Path))
	_ = os.MkdirAll(filepath.Dir(disk), 0o700) // without it, make fails
	if make(disk) == nil {
		w.items = append(w.items, it)
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
		return errors.Join(err, f.Close())
	}
}

func mkdir(disk string) error { return os.MkdirAll(disk, 0o700) }

func (w *hostileWriter) folders() {
	deep := "deep"
	for i := 1; i <= deepLevels; i++ {
		deep += fmt.Sprintf("/%02d", i)
	}
	w.add(Item{Path: deep, What: "a folder very deep down", Type: fs.ModeDir}, mkdir)
	w.file(deep+"/bottom.md", "a file very deep down", "here at last\n")
	w.add(Item{Path: "empty-folder", What: "an empty folder", Type: fs.ModeDir}, mkdir)
	for _, f := range []struct{ path, what, data string }{
		{"node_modules/left/index.js", "a file in node_modules", "module.exports = 1\n"},
		{".git/HEAD", "a file in a hidden folder", "ref: refs/heads/main\n"},
		{".git/objects/ab/cdef", "a file deep in a hidden folder", "\x00\x01\x02\n"},
		{".hidden.md", "a hidden file", "not listed\n"},
		{"work/node_modules/x.md", "a file in node_modules further down", "not listed\n"},
		{"work/seen.md", "a file beside a node_modules", "listed\n"},
	} {
		w.file(f.path, f.what, f.data)
	}
}

// deepLevels is how many folders are nested in "deep".
const deepLevels = 50
