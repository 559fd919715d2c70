package memstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/mem"
	"memcurator/memstore/memtest"
)

// remote is a store with [Sessions]: a session is a fork of what it holds, and a commit is refused once it holds anything else.
type remote struct {
	*mem.Memory

	mu      sync.Mutex
	looks   int
	commits int
	direct  int // reads beside any session, each a round trip
	turns   int
	late    int // commits yet to be refused
	done    map[CommitKey]int64
	edits   []*Edit
}

func newRemote() *remote { return &remote{Memory: NewMemory().(*Memory), done: map[CommitKey]int64{}} }

func (r *remote) Stat(name string) (backend.Info, error)  { r.count(); return r.Memory.Stat(name) }
func (r *remote) Lstat(name string) (backend.Info, error) { r.count(); return r.Memory.Lstat(name) }
func (r *remote) ReadDir(name string) ([]backend.Info, error) {
	r.count()
	return r.Memory.ReadDir(name)
}

func (r *remote) Open(name string, a backend.Access) (backend.File, error) {
	r.count()
	return r.Memory.Open(name, a)
}

func (r *remote) count() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.direct++
}

func (r *remote) Session(ctx context.Context, w Want) (Session, error) {
	end := func() {}
	if w.Turn {
		unlock, err := r.Memory.Lock(ctx)
		if err != nil {
			return nil, err
		}
		end = unlock
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.looks++
	if w.Turn {
		r.turns++
	}
	f := r.Fork()
	return &remoteSession{Memory: f, of: r, at: f.State(), wants: w, end: end}, nil
}

// remoteSession is a fork of the store.
type remoteSession struct {
	*mem.Memory
	of    *remote
	at    uint64
	wants Want
	end   func()
}

func (s *remoteSession) Revision() int64 { return int64(s.at) }
func (s *remoteSession) End()            { s.end() }

func (s *remoteSession) Commit(ctx context.Context, edits []*Edit, key CommitKey) (int64, error) {
	if !s.wants.Write {
		return 0, errors.New("a commit in a session that only reads")
	}
	if !s.wants.Turn { // one that holds the turn is never too late
		unlock, err := s.of.Lock(ctx)
		if err != nil {
			return 0, err
		}
		defer unlock()
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.of.commits++
	if rev, ok := s.of.done[key]; ok {
		return rev, nil
	}
	if s.of.late > 0 {
		s.of.late--
		return 0, backend.ErrChanged
	}
	if err := s.of.Adopt(s.Memory, s.at); err != nil {
		return 0, err
	}
	s.of.done[key] = int64(s.of.State())
	s.of.edits = append(s.of.edits, edits...)
	return s.of.done[key], nil
}

// Every command answers through sessions as it does without them.
func TestConformanceInSessions(t *testing.T) {
	for _, d := range Dialects() {
		t.Run(d.String(), func(t *testing.T) {
			memtest.Run(t, d.String(), func(t *testing.T, v memtest.Vector) (memtest.Handler, func() (memtest.Tree, error)) {
				if slices.Contains(v.Needs, memtest.NeedsHoles) || slices.Contains(v.Needs, memtest.NeedsFIFO) {
					t.Skip("a store in memory holds every byte, and no pipes")
				}
				r := newRemote()
				inside, outside := v.Tree.Split()
				for _, name := range inside.Names() {
					plantNode(t, r.Memory, name, inside[name])
				}
				return tried{New(r, Options{Dialect: d})}, func() (memtest.Tree, error) {
					treeInto(t, r.Memory, ".", outside)
					return outside, nil
				}
			})
		})
	}
}

// A view is one round trip and a write two, with and without guards and whatever the size of a folder.
func TestRoundTrips(t *testing.T) {
	guard := Guard{Check: func(context.Context, *Edit) (string, error) { return "", nil }}
	for _, guards := range [][]Guard{nil, {guard}} {
		b := newRemote()
		for i := range 50 {
			must(t, b.Create("many/sub/"+strconv.Itoa(i)+".md", []byte("x")))
		}
		s := New(b, Options{Guards: guards})
		for _, c := range []struct {
			does           string
			do             func() Result
			looks, commits int
		}{
			{"create", func() Result { return s.Create(t.Context(), "/memories/new/deep/a.md", "one\n") }, 1, 1},
			{"view of a file", func() Result { return s.View(t.Context(), "/memories/new/deep/a.md", nil) }, 1, 0},
			{"listing", func() Result { return s.View(t.Context(), "/memories", nil) }, 1, 0},
			{"str_replace", func() Result { return s.StrReplace(t.Context(), "/memories/new/deep/a.md", "one", "two") }, 1, 1},
			{"insert", func() Result { return s.Insert(t.Context(), "/memories/new/deep/a.md", 0, "zero\n") }, 1, 1},
			{"replace", func() Result { return s.Replace(t.Context(), "/memories/new/deep/a.md", []byte("all\n")) }, 1, 1},
			{"rename of a folder", func() Result { return s.Rename(t.Context(), "/memories/many", "/memories/moved") }, 1, 1},
			{"delete of a folder", func() Result { return s.Delete(t.Context(), "/memories/moved") }, 1, 1},
		} {
			b.looks, b.commits, b.direct = 0, 0, 0
			if r := c.do(); r.IsError {
				t.Fatalf("%s: %s", c.does, r.Content)
			}
			if b.looks != c.looks || b.commits != c.commits || b.direct != 0 {
				t.Errorf("%d guards, %s: %d looks, %d commits and %d reads beside them, want %d, %d and none", len(guards), c.does,
					b.looks, b.commits, b.direct, c.looks, c.commits)
			}
		}
		if names := editedBy(b.edits); !slices.Equal(names, []string{"create", "str_replace", "insert", "replace", "rename", "delete"}) {
			t.Errorf("%d guards: the commits came with the edits %q", len(guards), names)
		}
	}
}

func editedBy(edits []*Edit) (names []string) {
	for _, e := range edits {
		names = append(names, e.Command.Name)
	}
	return names
}

// A commit that comes too late is decided afresh, from the third try on with the turn.
func TestLateCommitIsDecidedAfresh(t *testing.T) {
	b := newRemote()
	must(t, b.Create("a.md", []byte("one\n")))
	rewrites, checks := 0, 0
	s := New(b, Options{Guards: []Guard{{
		Rewrite: func(_ context.Context, c Command) Command { rewrites++; return c },
		Check:   func(context.Context, *Edit) (string, error) { checks++; return "", nil },
	}}})
	b.late = 2
	if r := s.StrReplace(t.Context(), "/memories/a.md", "one", "two"); r.IsError {
		t.Fatal(r.Content)
	}
	if b.looks != 3 || b.commits != 3 || b.turns != 1 || rewrites != 1 || checks != 3 {
		t.Errorf("%d looks, %d commits, %d turns, %d rewrites, %d checks", b.looks, b.commits, b.turns, rewrites, checks)
	}
	if data, err := backend.ReadFile(b.Memory, "a.md", backend.Look, editLimit); err != nil || string(data) != "two\n" {
		t.Errorf("%q, %v", data, err)
	}
	b.late = maxTries
	if r := s.Delete(t.Context(), "/memories/a.md"); !errors.Is(r.Err, ErrChanged) {
		t.Errorf("after %d late commits: %v", maxTries, r.Err)
	}
	if len(b.edits) != 1 {
		t.Errorf("%d edits are recorded", len(b.edits))
	}
}

// Writers on one file lose nothing, however often one comes before the other.
func TestWritersInSessions(t *testing.T) {
	b := newRemote()
	must(t, b.Create("a.md", []byte("start\n")))
	const writers, edits = 8, 60
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			s := New(b, Options{})
			for i := range edits {
				if r := s.Insert(t.Context(), "/memories/a.md", 0, fmt.Sprintf("%d-%d\n", w, i)); r.IsError {
					t.Errorf("writer %d: %s", w, r.Content)
				}
			}
		})
	}
	group.Wait()
	data, err := backend.ReadFile(b, "a.md", backend.Look, editLimit)
	must(t, err)
	for w := range writers {
		for i := range edits {
			if n := bytes.Count(data, fmt.Appendf(nil, "%d-%d\n", w, i)); n != 1 {
				t.Errorf("edit %d of writer %d is there %d times", i, w, n)
			}
		}
	}
}

// Steps are one commit where there are sessions: all of them or none, and a later one sees those before it.
func TestApplyAllIsOneCommit(t *testing.T) {
	b := newRemote()
	must(t, b.Create("a.md", []byte("one")))
	s := New(b, Options{})
	was := Sum([]byte("one"))
	steps := []Step{
		{Kind: backend.KindDir, Path: "/memories/d"},
		{Kind: backend.KindFile, Path: "/memories/d/b.md", OldPath: "/memories/a.md", Expect: &was},
		{Kind: backend.KindFile, Path: "/memories/d/b.md", Data: []byte("two"), Expect: &was},
		{Kind: backend.KindFile, Path: "/memories/c.md", Data: []byte("three")},
	}
	b.late = 1
	if n, err := s.ApplyAll(t.Context(), steps); n != len(steps) || err != nil {
		t.Fatalf("%d steps: %v", n, err)
	}
	if b.looks != 2 || b.commits != 2 || len(b.edits) != len(steps) {
		t.Errorf("%d looks, %d commits, %d edits", b.looks, b.commits, len(b.edits))
	}
	if n, err := s.ApplyAll(t.Context(), []Step{
		{Kind: backend.KindFile, Path: "/memories/e.md", Data: []byte("four")},
		{Kind: backend.KindFile, Path: "/memories/d/b.md", Remove: true, Expect: &was},
	}); n != 0 || !errors.Is(err, ErrChanged) {
		t.Errorf("%d steps: %v", n, err)
	}
	tree := memtest.Tree{}
	treeInto(t, b.Memory, ".", tree)
	if got := tree.Names(); !slices.Equal(got, []string{"c.md", "d", "d/b.md"}) || string(tree["d/b.md"].Data) != "two" {
		t.Errorf("%q, %q", got, tree["d/b.md"].Data)
	}
}

// Elsewhere steps come one after the other, and those before a failure stay.
func TestApplyAllStepByStep(t *testing.T) {
	b := NewMemory()
	s := New(b, Options{})
	n, err := s.ApplyAll(t.Context(), []Step{
		{Kind: backend.KindFile, Path: "/memories/a.md", Data: []byte("one")},
		{Kind: backend.KindFile, Path: "/memories/a.md", Data: []byte("two")},
		{Kind: backend.KindFile, Path: "/memories/b.md", Data: []byte("three")},
	})
	if n != 1 || !errors.Is(err, ErrExist) {
		t.Errorf("%d steps: %v", n, err)
	}
	if _, err := b.Lstat("a.md"); err != nil {
		t.Error(err)
	}
}
