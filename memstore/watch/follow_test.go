package watch

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
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
	before  map[string]string // the tree when the watch was live
	marks   int
	named   func(name string) string // of a name on disk; nil: the same
	holding bool                     // this has it
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
	store, err := memstore.Open(f.dir, memstore.Options{Workers: 2})
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
	_, err = f.j.Reconcile(context.Background(), nil)
	must(f.t, err)
	f.before = f.disk()
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
	return m.names[name] || m.lost
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
	if f.named != nil {
		name = f.named(name)
	}
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
	var b strings.Builder
	for _, c := range f.changes {
		b.WriteString(line(c) + "\n")
	}
	return b.String()
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
	var got []string
	for _, c := range f.changes {
		got = append(got, strings.ReplaceAll(line(c), memstore.Root+"/", ""))
	}
	if !slices.Equal(got, want) {
		f.t.Fatalf("changes:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// content is one side of a revision.
func (f *follower) content(side past.Side) string {
	f.t.Helper()
	if !side.Exists {
		return "<nil>"
	}
	data, err := f.j.Bytes(context.Background(), side)
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return string(data)
}

// disk reads the tree: folders as "name/", links with their text, files with their bytes.
func (f *follower) disk() map[string]string {
	f.t.Helper()
	tree := make(map[string]string)
	must(f.t, filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == f.dir {
			return err
		}
		name, _ := onDisk{root: f.dir}.name(path)
		switch {
		case d.IsDir():
			tree[name+"/"] = ""
		case d.Type()&fs.ModeSymlink != 0:
			tree[name], err = os.Readlink(path)
		default:
			var data []byte
			data, err = os.ReadFile(path)
			tree[name] = string(data)
		}
		return err
	}))
	return tree
}

// replay applies revisions to a tree in the form disk returns.
func (f *follower) replay(tree map[string]string) {
	f.t.Helper()
	for _, c := range f.changes {
		name, old := memstore.BackendName(c.Path), memstore.BackendName(c.OldPath)
		key := name
		if c.Kind == memstore.KindDir {
			key += "/"
		}
		_, exists := tree[key]
		switch c.Shape {
		case past.Renamed:
			for from, data := range tree {
				if base := strings.TrimSuffix(from, "/"); base == old || inside(base, old) {
					delete(tree, from)
					tree[moved(from, old, name)] = data
				}
			}
			addParents(tree, name)
		case past.Removed:
			if !exists && c.Actor == memstore.External {
				f.t.Errorf("%s: the path to delete does not exist", line(c))
			}
			for path := range tree {
				if base := strings.TrimSuffix(path, "/"); base == name || inside(base, name) {
					delete(tree, path)
				}
			}
		default:
			if exists != (c.Shape != past.Made) && c.Actor == memstore.External {
				f.t.Errorf("%s: exists before: %v", line(c), exists)
			}
			if c.Before.Kept && f.content(c.Before) != tree[name] {
				f.t.Errorf("%d %s: before is %q, the revisions so far give %q", c.Rev, line(c), f.content(c.Before), tree[name])
			}
			addParents(tree, name)
			tree[key] = ""
			if c.Kind != memstore.KindDir {
				tree[key] = f.content(c.After)
			}
		}
	}
}

// addParents adds the folders above a name; what stood in the way as no folder is gone.
func addParents(tree map[string]string, name string) {
	for i, c := range name {
		if c == '/' {
			delete(tree, name[:i])
			tree[name[:i]+"/"] = ""
		}
	}
}

// checkReplay replays all changes over the first tree and compares with the disk.
func (f *follower) checkReplay() {
	f.t.Helper()
	f.quiet()
	disk := show(withoutTemps(f.disk()))
	f.until("the changes to give what the disk has:\n"+disk, func() bool {
		tree := maps.Clone(f.before)
		f.replay(tree)
		return f.t.Failed() || show(withoutTemps(tree)) == disk
	})
}

// withoutTemps leaves out temporary files, and folders on their way out, which were left because other programs
// were in the way: they are reported only when they are old.
func withoutTemps(tree map[string]string) map[string]string {
	for name := range tree {
		for part := range strings.SplitSeq(name, "/") {
			if memstore.TempName(part) {
				delete(tree, name)
			}
		}
	}
	return tree
}

// checkModel compares the published snapshot with a fresh scan.
func (f *follower) checkModel() {
	f.t.Helper()
	s, err := f.store.Scan(context.Background(), nil)
	must(f.t, err)
	want := showNode(s)
	if got := showNode(f.last.Snapshot); got != want {
		f.until("the snapshot to equal the disk:\n"+want, func() bool { return showNode(f.last.Snapshot) == want })
	}
}

func show(tree map[string]string) string {
	var lines []string
	for name, data := range tree {
		lines = append(lines, fmt.Sprintf("%s %.40q", name, data))
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n")
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

// moved returns name after from was renamed to; name is from or below it.
func moved(name, from, to string) string {
	return to + name[len(from):]
}

func inside(name, dir string) bool { return strings.HasPrefix(name, dir+"/") }
