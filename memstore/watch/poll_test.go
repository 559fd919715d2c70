package watch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// always polls as quickly as polls follow on each other.
func always() Options {
	return Options{poll: pollAlways, hooks: hooks{pollLeast: time.Millisecond}}
}

// full is a system whose watches have run out below some folders.
type full struct{ is atomic.Bool }

func (s *full) add(below string) func(*fsnotify.Watcher, string) error {
	return func(f *fsnotify.Watcher, path string) error {
		if s.is.Load() && strings.Contains(path, string(filepath.Separator)+below) {
			return syscall.ENOSPC
		}
		return f.Add(path)
	}
}

// TestPolling changes a store without events the way programs do, each in one
// step: a poll may come between two.
func TestPolling(t *testing.T) {
	t.Parallel()
	files := []string{"a.md", "b.md", "d/x.md", "d/y.md", "d/sub/z.md", "empty/"}
	tests := []struct {
		name string
		do   func(f *follower)
		want []string
	}{
		{"nothing", func(*follower) {}, nil},
		{"new file", func(f *follower) { f.write("n.md", "new") }, []string{"external create n.md"}},
		{"a folder moved in", func(f *follower) { f.moveIn("p", "q/r/n.md") }, []string{"external create p/q/r/n.md"}},
		{"append", func(f *follower) { f.write("d/sub/z.md", f.text("d/sub/z.md")+"more\n") }, []string{"external edit d/sub/z.md"}},
		{"touch", func(f *follower) { must(f.t, os.Chtimes(f.path("a.md"), time.Now(), time.Now())) }, nil},
		{"chmod", func(f *follower) { must(f.t, os.Chmod(f.path("a.md"), 0o640)) }, nil},
		{"delete", func(f *follower) { f.remove("d/x.md") }, []string{"external delete d/x.md"}},
		{"rename", func(f *follower) { f.rename("d/x.md", "d/n.md") }, []string{"external rename d/x.md -> d/n.md"}},
		{"rename a folder", func(f *follower) { f.rename("d", "e") }, []string{"external rename d -> e/"}},
		{"a folder moved out", func(f *follower) { f.rename("d", "../d") }, []string{
			"external delete d/sub/z.md", "external delete d/sub/", "external delete d/x.md", "external delete d/y.md", "external delete d/",
		}},
		{"an empty folder", func(f *follower) { f.write("k/", "") }, []string{"external create k/"}},
		{"a folder becomes a file", func(f *follower) { f.remove("empty"); f.write("empty", "x") },
			[]string{"external delete empty/", "external create empty"}},
		{"a stale temporary file", func(f *follower) { f.write(".tmp-1-a", "x"); f.remove(".tmp-1-a") }, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := doneAtOnce(t, always(), files, test.do)
			if f.last.State != Polling || !strings.Contains(f.last.Note, "Watching is off") {
				t.Errorf("state %v, note %q", f.last.State, f.last.Note)
			}
			f.expect(test.want...)
			f.checkReplay()
			f.checkModel()
		})
	}
}

// moveIn makes a folder with one file in it in one step.
func (f *follower) moveIn(dir, file string) {
	f.t.Helper()
	f.write("../aside/"+file, "new")
	f.rename("../aside", dir)
}

// TestFreshStampsProveNothing changes a file under a stamp and a size that were
// seen before: as happens where stamps have whole seconds.
func TestFreshStampsProveNothing(t *testing.T) {
	t.Parallel()
	stamp := time.Now().Add(time.Hour) // fresh, however long the machine takes
	for _, name := range []string{"read at the start", "seen in a poll"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &follower{t: t, dir: filepath.Join(t.TempDir(), "memories")}
			write := func(text string) {
				f.atOnce(func() {
					f.write("a.md", text)
					must(t, os.Chtimes(f.path("a.md"), stamp, stamp))
				})
			}
			write("one")
			o := always()
			o.hooks.pollLeast = time.Second // the write comes before the file is read again
			f.start(o)
			if name == "seen in a poll" {
				write("1, 2")
				f.until("the first change", func() bool { return len(f.changes) == 1 })
				write("3, 4")
				f.until("the second change", func() bool { return len(f.changes) == 2 })
			} else {
				write("two")
				f.until("the change", func() bool { return len(f.changes) == 1 })
			}
			f.checkReplay()
		})
	}
}

// TestWatchesRunOut: what the system does not watch is polled, and only that;
// when it can be watched again it is.
func TestWatchesRunOut(t *testing.T) {
	t.Parallel()
	var system full
	system.is.Store(true)
	o := Options{hooks: hooks{add: system.add("d"), pollLeast: time.Millisecond}}
	f := follow(t, o, "a.md", "d/x.md", "d/sub/y.md")
	if f.last.State != Polling || !strings.Contains(f.last.Note, "watches no more folders. Edits by other programs in 2 folders show up within ") {
		t.Errorf("state %v, note %q", f.last.State, f.last.Note)
	}
	f.write("d/sub/y.md", "other")
	f.moveIn("d/new", "n.md")
	f.until("both changes", func() bool { return len(f.changes) == 2 })
	f.remove("d/sub")
	f.until("the end of a folder", func() bool { return strings.Contains(f.last.Note, "2 folders") && len(f.changes) == 4 })
	f.checkReplay()
	f.checkModel()
	system.is.Store(false)
	f.until("watches", f.state(Live))
	f.write("d/new/n.md", "and on")
	f.expect(append(lines(f.changes), "external edit d/new/n.md")...)
	f.checkModel()
}

func lines(changes []past.Revision) (out []string) {
	for _, c := range changes {
		out = append(out, strings.ReplaceAll(line(c), memstore.Root+"/", ""))
	}
	return out
}

// TestNoWatcherAtAll: the limit of watchers may be reached before the first one.
func TestNoWatcherAtAll(t *testing.T) {
	t.Parallel()
	var none atomic.Bool
	none.Store(true)
	open := func() (*fsnotify.Watcher, error) {
		if none.Load() {
			return nil, syscall.EMFILE
		}
		return fsnotify.NewWatcher()
	}
	f := follow(t, Options{hooks: hooks{open: open, pollLeast: time.Millisecond}}, "a.md", "d/x.md")
	if f.last.State != Polling || !strings.Contains(f.last.Note, "ran out of watches") {
		t.Errorf("state %v, note %q", f.last.State, f.last.Note)
	}
	f.write("d/x.md", "other")
	f.expect("external edit d/x.md")
	none.Store(false)
	f.until("a watcher", f.state(Live))
	f.write("d/x.md", "and on")
	f.expect("external edit d/x.md", "external edit d/x.md")
	f.checkReplay()
	f.checkModel()
}

// TestSilentFileSystem is about file systems that others change behind the
// system's back: here no watch reports an event.
func TestSilentFileSystem(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	o := Options{hooks: hooks{
		add:       func(*fsnotify.Watcher, string) error { return nil },
		silent:    func(string) string { asked.Add(1); return "NFS" },
		pollLeast: time.Millisecond,
	}}
	f := follow(t, o, "a.md", "d/x.md")
	if f.last.State != Polling || !strings.Contains(f.last.Note, "(NFS)") {
		t.Errorf("state %v, note %q", f.last.State, f.last.Note)
	}
	f.write("d/x.md", "other")
	f.expect("external edit d/x.md")
	f.moveIn("e", "n.md")
	f.expect("external edit d/x.md", "external create e/n.md")
	f.checkReplay()
	f.checkModel()
	if n := asked.Load(); n != 1 {
		t.Errorf("one file system was asked for %d times", n)
	}
}

func TestPollNever(t *testing.T) {
	t.Parallel()
	var system full
	system.is.Store(true)
	f := follow(t, Options{poll: pollNever, hooks: hooks{add: system.add("d"), pollLeast: time.Millisecond}}, "a.md", "d/x.md")
	if f.last.State != Limited || !strings.Contains(f.last.Note, "in /memories/d go unseen") {
		t.Errorf("state %v, note %q", f.last.State, f.last.Note)
	}
	f.write("d/x.md", "not seen")
	f.expect()
	f.w.Rescan()
	f.expect("external edit d/x.md")
}

func TestPolledDirectoryGoesAndComesBack(t *testing.T) {
	t.Parallel()
	f := follow(t, always(), "a.md", "d/x.md")
	must(t, os.Rename(f.dir, f.dir+"-away"))
	f.until("unavailable", f.state(Unavailable))
	f.quietlyUnavailable()
	must(t, os.WriteFile(filepath.Join(f.dir+"-away", "a.md"), []byte("changed while away"), 0o600))
	must(t, os.Rename(f.dir+"-away", f.dir))
	f.until("back", f.state(Polling))
	f.expect("external edit a.md")
	f.checkModel()
}

// TestPolledFolderClosesAndOpens: the system reports neither.
func TestPolledFolderClosesAndOpens(t *testing.T) {
	t.Parallel()
	f, b := followBroken(t, always(), "a.md", "d/x.md", "d/sub/y.md")
	problem := func() bool {
		n := f.w.Snapshot().Find("/memories/d")
		return n != nil && n.Problem != nil
	}
	b.set("d", true)
	f.until("the problem", problem)
	if f.w.Snapshot().Find("/memories/d/sub/y.md") == nil {
		t.Error("known children are kept")
	}
	f.expect()
	b.set("d", false)
	f.until("its end", func() bool { return !problem() })
	f.write("d/x.md", "changed")
	f.expect("external edit d/x.md")
	f.checkModel()
}

// TestPolledBackendWithoutDirectory: a backend that is not a directory is polled by default.
func TestPolledBackendWithoutDirectory(t *testing.T) {
	t.Parallel()
	s := memstore.New(memstore.NewMemory(), memstore.Options{})
	f := &follower{t: t, dir: t.TempDir()}
	f.do(s, memstore.Command{Name: memstore.CmdCreate, Path: "/memories/d/a.md", FileText: "one\ntwo\n"})
	o := always()
	o.poll = pollAuto
	f.startOn(s, o)
	if f.last.State != Polling || !strings.HasPrefix(f.last.Note, "This store") {
		t.Errorf("state %v, note %q", f.last.State, f.last.Note)
	}
	f.do(s, memstore.Command{Name: memstore.CmdInsert, Path: "/memories/d/a.md", InsertLine: 1, InsertText: "and\n"})
	f.until("the edit", func() bool { return len(f.changes) == 1 })
	if c := f.changes[0]; c.Actor != memstore.External || c.Command != "edit" {
		t.Error(line(c))
	}
}

// TestOwnEditsInPolledFolders: they are reported once, as ours.
func TestOwnEditsInPolledFolders(t *testing.T) {
	t.Parallel()
	f := follow(t, always(), "a.md")
	s := memstore.New(f.store.Backend(), memstore.Options{Recorders: []memstore.Recorder{f.j, f.w}})
	for i := range 20 {
		f.do(s, memstore.Command{Name: memstore.CmdInsert, Path: "/memories/a.md", InsertText: fmt.Sprintf("line %d\n", i)})
	}
	f.quiet()
	if len(f.changes) != 20 {
		t.Errorf("20 changes are wanted, got:\n%s", f.list())
	}
	for _, c := range f.changes {
		if c.Actor != memstore.Agent {
			t.Error(line(c))
		}
	}
	f.checkReplay()
}

// TestRandomOperationsPolled replays what was told of a store that is polled as a
// whole or in part.
func TestRandomOperationsPolled(t *testing.T) {
	t.Parallel()
	var system full
	system.is.Store(true)
	for i, o := range []Options{always(), {hooks: hooks{add: system.add("memories/a"), pollLeast: time.Millisecond}}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			f := follow(t, o, "a/x.md", "b.md", "d/x.md")
			s := memstore.New(f.store.Backend(), memstore.Options{Recorders: []memstore.Recorder{f.j, f.w}})
			var done atomic.Bool
			var group sync.WaitGroup
			r := uint64(i)
			group.Go(func() { randomOperations(f.dir, rand.New(rand.NewPCG(r, 1)), 400); done.Store(true) })
			group.Go(func() { randomCommands(s, rand.New(rand.NewPCG(r, 2)), &done) })
			f.until("the operations", done.Load)
			group.Wait()
			f.checkModel() // what is not watched may come after the marker
			f.quiet()
			f.checkReplay()
			f.checkModel()
		})
	}
}

func TestTimeBetweenPolls(t *testing.T) {
	t.Parallel()
	var p polls
	for _, step := range []struct{ cost, want time.Duration }{
		{time.Millisecond, 2 * time.Second},
		{40 * time.Millisecond, 2 * time.Second},
		{41 * time.Millisecond, 4 * time.Second},
		{time.Second, 64 * time.Second},
		{time.Millisecond, 64 * time.Second}, // one quick poll proves nothing
	} {
		if p.took(step.cost, pollLeast); p.every != step.want || p.every < pollShare*step.cost {
			t.Errorf("%v after a poll of %v, want %v", p.every, step.cost, step.want)
		}
	}
	for range 50 {
		p.took(time.Millisecond, pollLeast)
	}
	if p.every != pollLeast {
		t.Errorf("%v after many quick polls", p.every)
	}
}

// TestWhyAWatchIsRefused: what the system answers decides the note.
func TestWhyAWatchIsRefused(t *testing.T) {
	t.Parallel()
	for err, want := range map[syscall.Errno]deafness{
		syscall.ENOSPC: refused, syscall.EMFILE: refused, syscall.ENAMETOOLONG: tooDeep, syscall.EINVAL: failed, syscall.ENOENT: 0, syscall.EACCES: 0,
	} {
		s := &watches{
			fs: &fsnotify.Watcher{}, deaf: map[string]deafness{}, names: map[memstore.FileID]string{}, silent: map[uint64]string{},
			hooks: &hooks{add: func(*fsnotify.Watcher, string) error { return fmt.Errorf("%q: %w", "d", err) }},
		}
		if s.add("d", memstore.Info{Kind: memstore.KindDir}); s.deaf["d"] != want {
			t.Errorf("%v: %v, want %v", err, s.deaf["d"], want)
		}
	}
}

func TestNotesNameTheCause(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		deaf map[string]deafness
		mode pollMode
		want string
	}{
		{nil, pollAuto, ""},
		{map[string]deafness{"d/e": refused}, pollAuto, "The system watches no more folders. Edits by other programs in /memories/d/e show up within 2 seconds"},
		{map[string]deafness{"d/e": refused, "a": refused}, pollNever,
			"The system watches no more folders. Some edits by other programs in 2 folders go unseen"},
		{map[string]deafness{"d/e": tooDeep}, pollAuto, "The path is too long for the system to watch it. Edits by other programs in /memories/d/e show up within 2 seconds"},
		{map[string]deafness{"d/e": failed, "d": tooDeep}, pollAuto,
			"The system does not watch every folder. Edits by other programs in 2 folders show up within 2 seconds"},
		{map[string]deafness{".": noPlace, "d": noPlace}, pollAuto,
			"This store doesn't report changes. Edits by other programs show up within 2 seconds"},
		{map[string]deafness{"d": refused, ".": onSilent}, pollAuto,
			"The file system (SMB) doesn't report all changes. Edits by other programs show up within 2 seconds"},
		{map[string]deafness{".": noWatcher}, pollNever, "The system ran out of watches. Some edits by other programs go unseen"},
		{map[string]deafness{".": byWish}, pollAlways, "Watching is off. Edits by other programs show up within 2 seconds"},
	} {
		s := &watches{deaf: test.deaf, kind: "SMB"}
		state, note := s.judge(test.mode, pollLeast)
		if note != test.want || (state == Live) != (note == "") || (state == Limited) != (test.mode == pollNever) {
			t.Errorf("%v %q", state, note)
		}
	}
	if got := spoken(128 * time.Second); got != "2 minutes" {
		t.Error(got)
	}
}

// TestSilentKindOfALocalFolder: nothing is polled on the file systems of this machine.
func TestSilentKindOfALocalFolder(t *testing.T) {
	t.Parallel()
	if kind := silentKind(t.TempDir()); kind != "" {
		t.Skipf("the folder for temporary files is on %s", kind)
	}
	f := follow(t, Options{}, "a.md")
	if f.last.State != Live {
		t.Errorf("state %v, note %q", f.last.State, f.last.Note)
	}
	if kind := silentKind(filepath.Join(f.dir, "missing")); kind != "" {
		t.Error(kind)
	}
}

// TestFolderGoneDuringPoll: a poll meets folders that have gone since it began.
func TestFolderGoneDuringPoll(t *testing.T) {
	t.Parallel()
	f := follow(t, always(), "d/x.md")
	l := look{s: openWatches(onDisk{root: f.dir}, &Options{poll: pollAlways, queue: 10}), backend: f.store.Backend(), tree: f.w.Snapshot()}
	l.s.add("d", memstore.Info{})
	f.remove("d")
	if err := l.folder("d"); err != nil {
		t.Error(err)
	}
	if events, _ := l.s.take(); len(events) != 1 || events[0].name != "d" {
		t.Errorf("%v", events)
	}
	must(t, os.RemoveAll(f.dir))
	if err := l.run(context.Background()); !errors.Is(err, memstore.ErrUnavailable) {
		t.Error(err)
	}
}
