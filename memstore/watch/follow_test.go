package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
)

func TestMain(m *testing.M) { os.Exit(memtest.RunWaiting(m)) }

// patience is far beyond what anything here takes: a test that waits longer has failed.
const patience = 60 * time.Second

// follower runs a watcher on a directory and collects what it says.
type follower struct {
	t       testing.TB
	dir     string
	store   *memstore.Store
	w       *Watcher
	last    Update
	j       *journal.Journal
	came    chan past.Revision // from Follow
	changes []past.Revision
	marks   int
	holding bool // this has it
}

// follow starts to watch a new directory with the given files (names ending in "/" are folders).
func follow(t testing.TB, o Options, files ...string) *follower {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "memories")
	mkdir(t, dir)
	f := &follower{t: t, dir: dir}
	for i, name := range files {
		f.write(name, fmt.Sprintf("content %d of %s\nsecond line\n", i, name))
	}
	f.start(o)
	return f
}

func (f *follower) start(o Options) {
	f.t.Helper()
	store, err := memstore.Open(f.dir, memstore.Options{})
	if err != nil {
		f.t.Fatal(err)
	}
	f.startOn(store, o)
}

func (f *follower) startOn(store *memstore.Store, o Options) {
	f.t.Helper()
	o.Warn = func(err error) { f.t.Logf("a comparison failed: %v", err) }
	f.record(store)
	o.Sync = f.j.Sync
	w, err := Start(context.Background(), store, o)
	if err != nil {
		f.t.Fatal(err)
	}
	f.store, f.w = store, w
	f.t.Cleanup(func() {
		w.Close()
		must(f.t, f.j.Close())
		store.Close()
	})
	f.until("the watch to be live", func() bool { return f.last.State != Loading })
	_, err = f.j.Sync(context.Background(), past.Hints{Unseen: true})
	must(f.t, err)
}

// record begins a journal of the store, and follows it.
func (f *follower) record(store *memstore.Store) {
	j, err := journal.Memory(journal.Options{Backend: store.Backend(), Process: "test",
		Warn: func(err error) { f.t.Errorf("the journal warns: %v", err) }})
	must(f.t, err)
	f.j, f.came = j, make(chan past.Revision, 1000)
	go func() {
		for seen := (past.State{}); ; {
			b, err := j.Follow(context.Background(), seen, 500)
			if err != nil {
				return // it is closed
			}
			for _, r := range b.Revisions {
				f.came <- r
			}
			seen = b.Next
		}
	}()
}

// until reads updates until ok.
func (f *follower) until(what string, ok func() bool) {
	f.t.Helper()
	deadline := time.After(patience)
	for !ok() {
		select {
		case f.last = <-f.w.Updates():
		case r := <-f.came:
			f.changes = append(f.changes, r)
		case <-deadline:
			f.t.Fatalf("waited in vain for %s; state %v %q, changes:\n%s", what, f.last.State, f.last.Note, f.list())
		}
	}
}

// lastOfAll is a file that is made and removed last in a burst of changes.
const lastOfAll = "zz-last"

// atOnce does something that belongs together: the watch sees what has come of it, however long
// that takes on a busy machine.
func (f *follower) atOnce(do func()) {
	f.t.Helper()
	if f.holding || f.w == nil {
		do()
		return
	}
	f.held(func() {
		do()
		if f.last.State != Live {
			return // no events, or not all
		}
		f.write(lastOfAll, "")
		f.remove(lastOfAll)
		for !f.marked(lastOfAll) {
			time.Sleep(time.Millisecond)
		}
	})
}

// marked reports whether the event of a name waits for the watch.
func (f *follower) marked(name string) bool {
	m := &f.w.marks
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.names[name] || m.all
}

// held does something while the watch stands still.
func (f *follower) held(do func()) {
	f.w.turn.Lock()
	f.holding = true
	defer func() {
		f.holding = false
		f.w.turn.Unlock()
	}()
	do()
}

// quiet waits until all earlier changes are reported: an empty file that
// is made now settles later than all of it. It takes the marker's changes away again.
func (f *follower) quiet() {
	f.t.Helper()
	f.marks++
	name := fmt.Sprintf("zz-marker-%d", f.marks)
	path := memstore.Root + "/" + name
	f.write(name, "")
	told := func(command string) func() bool {
		return func() bool {
			return slices.ContainsFunc(f.changes, func(c past.Revision) bool { return c.Path == path && c.Command == command })
		}
	}
	f.until("the marker", told(memstore.CmdCreate))
	f.remove(name)
	f.until("the marker's end", told(memstore.CmdDelete))
	f.changes = slices.DeleteFunc(f.changes, func(c past.Revision) bool { return c.Path == path })
}

func (f *follower) path(name string) string {
	return filepath.Join(f.dir, filepath.FromSlash(name))
}

func (f *follower) write(name, text string) {
	f.t.Helper()
	if strings.HasSuffix(name, "/") {
		mkdir(f.t, f.path(name))
		return
	}
	f.atOnce(func() {
		mkdir(f.t, filepath.Dir(f.path(name)))
		must(f.t, os.WriteFile(f.path(name), []byte(text), 0o600))
	})
}

func (f *follower) remove(name string) { f.t.Helper(); must(f.t, os.RemoveAll(f.path(name))) }
func (f *follower) rename(from, to string) {
	f.t.Helper()
	must(f.t, os.Rename(f.path(from), f.path(to)))
}
func (f *follower) text(name string) string {
	f.t.Helper()
	data, err := os.ReadFile(f.path(name))
	must(f.t, err)
	return string(data)
}

// list shows the changes one a line: command, path, old path, sizes.
func (f *follower) list() string {
	var lines []string
	for _, c := range f.changes {
		lines = append(lines, line(c))
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), memstore.Root+"/", "")
}

func line(c past.Revision) string {
	s := string(c.Actor) + " " + c.Command + " "
	if c.OldPath != "" {
		s += c.OldPath + " -> "
	}
	s += c.Path
	if c.Kind == memstore.KindDir {
		s += "/"
	}
	return s
}

// expect compares the changes since the last call with want, in the form of line.
func (f *follower) expect(want ...string) {
	f.t.Helper()
	f.quiet()
	if got := f.list(); got != strings.Join(want, "\n") {
		f.t.Fatalf("changes:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}

// check expects that the record and the published tree equal the disk: comparing everything finds nothing that the watch missed.
func (f *follower) check() {
	f.t.Helper()
	f.quiet()
	s, err := f.store.Scan(f.t.Context(), memstore.ScanOptions{})
	must(f.t, err)
	missed, err := f.j.Sync(f.t.Context(), past.Hints{Tree: s})
	must(f.t, err)
	if missed != 0 {
		f.t.Errorf("%d changes were not recorded", missed)
	}
	want := showNode(s)
	f.until("the tree to equal the disk:\n"+want, func() bool { return showNode(f.last.Snapshot) == want })
}

func showNode(s *memstore.Snapshot) string {
	var b strings.Builder
	s.Walk(func(path string, n *memstore.Node) bool {
		size := n.Size
		if n.Kind == memstore.KindDir {
			size = 0
		}
		fmt.Fprintln(&b, path, n.Kind, size, n.Hidden, n.Files, n.Bytes, n.Problem)
		return true
	})
	return b.String()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mkdir(t testing.TB, path string) { t.Helper(); must(t, os.MkdirAll(path, 0o700)) }
