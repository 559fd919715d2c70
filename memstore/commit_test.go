package memstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"memcurator/memstore/backend"
)

// meddler lets another program act just before a write of the backend.
type meddler struct {
	backend.Backend
	before func(call, name string)
}

func (m meddler) Create(name string, data []byte) error {
	m.before("create", name)
	return m.Backend.Create(name, data)
}

func (m meddler) Replace(name string, old, data []byte) error {
	m.before("replace", name)
	return m.Backend.Replace(name, old, data)
}

func (m meddler) Rename(from, to string) error {
	m.before("rename", from)
	return m.Backend.Rename(from, to)
}

// A write whose file changes under it is decided afresh; it never takes the
// other program's edit away, and gives up after a few times.
func TestLostUpdate(t *testing.T) {
	ctx := context.Background()
	const changed = "Error: The file /memories/a was changed by another program at the same time. View it again, then repeat the command."
	for _, times := range []int{1, 4, 5, 100} {
		mem := NewMemory()
		must(t, mem.Create("a", []byte("one\n")))
		n := 0
		s := New(meddler{mem, func(call, name string) {
			if call == "replace" && n < times {
				n++
				data, err := backend.ReadFile(mem, name, backend.Look, editLimit)
				must(t, err)
				must(t, mem.Replace(name, data, append(bytes.Clone(data), fmt.Sprintf("other %d\n", n)...)))
			}
		}}, Options{})
		r := s.StrReplace(ctx, "/memories/a", "one", "two")
		text := textOf(t, s, "a")
		if times < maxTries {
			if r.IsError || !strings.HasPrefix(text, "two\nother 1\n") || strings.Count(text, "other") != times {
				t.Errorf("%d times: %q, %q", times, r.Content, text)
			}
		} else if r.Content != changed || !errors.Is(r.Err, backend.ErrChanged) || !strings.HasPrefix(text, "one\n") ||
			strings.Count(text, "other") != maxTries {
			t.Errorf("%d times: %q, %q", times, r.Content, text)
		}
	}
}

// Decided afresh, a command can find that it fails now.
func TestDecidedAfresh(t *testing.T) {
	ctx := context.Background()
	mem := NewMemory()
	must(t, mem.Create("a", []byte("one\n")))
	must(t, mem.Create("b", []byte("bee\n")))
	s := New(meddler{mem, func(call, name string) {
		switch call {
		case "replace":
			_ = mem.Remove(name)
		case "create":
			_ = mem.Create(name, []byte("theirs"))
		case "rename":
			_ = mem.Create("taken", []byte("theirs"))
		}
	}}, Options{})
	if r := s.Insert(ctx, "/memories/a", 0, "x"); r.Content != "Error: The path /memories/a does not exist" {
		t.Error(r.Content)
	}
	if r := s.Create(ctx, "/memories/c", "mine"); r.Content != "Error: File /memories/c already exists" || textOf(t, s, "c") != "theirs" {
		t.Error(r.Content)
	}
	if r := s.Rename(ctx, "/memories/b", "/memories/taken"); r.Content != "Error: The destination /memories/taken already exists" ||
		textOf(t, s, "b") != "bee\n" {
		t.Error(r.Content)
	}
}

// What comes between the record of a removal and the removal is not lost.
func TestRemovalChecked(t *testing.T) {
	ctx := context.Background()
	for _, path := range []string{"a", "d"} {
		rec := &recorder{}
		s := storeOf(t, Options{Recorders: []Recorder{rec}}, "a", "one", "d/x", "X")
		done := false
		rec.on = func(*Edit) {
			if done {
				return
			}
			done = true
			if path == "a" {
				must(t, s.backend.Replace("a", []byte("one"), []byte("two")))
			} else {
				must(t, s.backend.Create("d/late", []byte("late")))
			}
		}
		if r := s.Delete(ctx, "/memories/"+path); r.IsError {
			t.Error(r.Content)
		}
		log := strings.Join(rec.log, "\n")
		if !strings.Contains(log, "end changed by another program") ||
			!strings.Contains(log, map[string]string{"a": "two>-", "d": "late>-"}[path]) {
			t.Errorf("%s:\n%s", path, log)
		}
	}
}

func TestExpectation(t *testing.T) {
	ctx := context.Background()
	expecting := func(path, text string) context.Context {
		return WithExpectation(ctx, Expectation{Path: path, Digest: Sum([]byte(text))})
	}
	for _, c := range []Command{
		replace("/memories/a", "one", "1"), insert("/memories/a", 0, "x"), remove("/memories/a"), move("/memories/a", "/memories/c"),
		create("/memories/a", "new"),
	} {
		s := storeOf(t, Options{Overwrite: true}, "a", "one", "b", "bee")
		before := storeTree(t, s, "")
		r := s.Do(expecting("/memories//a", "other"), c)
		if !errors.Is(r.Err, backend.ErrChanged) || storeTree(t, s, "") != before {
			t.Errorf("%+v: %q", c, r.Content)
		}
		if shown, edit := s.Preview(expecting("/memories/a", "other"), c); shown.Content != r.Content || edit != nil {
			t.Errorf("%+v: preview %q", c, shown.Content)
		}
		if r := s.Do(expecting("/memories/a", "one"), c); r.IsError {
			t.Errorf("%+v as expected: %q", c, r.Content)
		}
	}
	s := storeOf(t, Options{}, "a", "one", "d/x", "")
	if r := s.Delete(expecting("/memories/b", "other"), "/memories/a"); r.IsError {
		t.Error("an expectation of another path counted:", r.Content)
	}
	if r := s.Delete(expecting("/memories/d", ""), "/memories/d"); !errors.Is(r.Err, backend.ErrChanged) {
		t.Error("a directory where a file was expected:", r.Content)
	}
}

func TestBusyAndCancelled(t *testing.T) {
	s := storeOf(t, Options{}, "a", "one")
	unlock, err := s.backend.Lock(context.Background())
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := s.Insert(ctx, "/memories/a", 0, "x")
	if !errors.Is(r.Err, backend.ErrBusy) || !errors.Is(r.Err, context.Canceled) ||
		r.Content != "Error: The command on /memories/a was cancelled" {
		t.Error(r.Content, r.Err)
	}
	unlock()
	if r := s.View(ctx, backend.Root, nil); r.Content != "Error: The command on /memories was cancelled" {
		t.Error(r.Content)
	}
}

func TestUnavailable(t *testing.T) {
	s := storeOf(t, Options{}, "a", "one")
	must(t, s.Close())
	for _, c := range []Command{
		view(backend.Root), view("/memories/a"), create("/memories/b", ""), create(backend.Root, ""), replace("/memories/a", "x", "y"),
		insert("/memories/a", 0, "x"),
		remove("/memories/a"), remove(backend.Root), move("/memories/a", "/memories/b"), move(backend.Root, "/memories/b"),
		move("/memories/a", "/memories/a/b"),
	} {
		for _, run := range []func() Result{
			func() Result { return s.Do(context.Background(), c) },
			func() Result { r, _ := s.Preview(context.Background(), c); return r },
		} {
			if r := run(); r.Content != "Error: The memory directory is not available" || !errors.Is(r.Err, backend.ErrUnavailable) {
				t.Errorf("%+v: %q", c, r.Content)
			}
		}
	}
}

// Nothing is read for the record without a recorder, and big files are not kept.
func TestNothingExtra(t *testing.T) {
	counting := &countingBackend{Backend: NewMemory()}
	s := New(counting, Options{})
	must(t, counting.Create("d/x", []byte("x")))
	counting.reads = 0
	s.Rename(context.Background(), "/memories/d/x", "/memories/d/y")
	s.Delete(context.Background(), "/memories/d")
	if counting.reads != 0 {
		t.Errorf("%d reads", counting.reads)
	}
	big := storeOf(t, Options{}, "big", strings.Repeat("x", eagerFile+1), "small", "x")
	for name, lazy := range map[string]bool{"big": true, "small": false} {
		_, e := big.Preview(context.Background(), remove("/memories/"+name))
		must(t, big.backend.Remove(name))
		if _, err := e.Changes[0].Before.Bytes(); (err != nil) != lazy {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type countingBackend struct {
	backend.Backend
	reads int
}

func (c *countingBackend) Open(name string, a backend.Access) (backend.File, error) {
	c.reads++
	return c.Backend.Open(name, a)
}

func (c *countingBackend) ReadDir(name string) ([]backend.Info, error) {
	c.reads++
	return c.Backend.ReadDir(name)
}

// Many writers at once lose nothing, on one store and through two.
func TestParallelWriters(t *testing.T) {
	for name, open := range map[string]func() (a, b *Store){
		"memory": func() (a, b *Store) { m := NewMemory(); return New(m, Options{}), New(m, Options{}) },
		"dir": func() (a, b *Store) {
			disk := t.TempDir()
			a, err := Open(disk, Options{})
			must(t, err)
			b, err = Open(disk, Options{})
			must(t, err)
			t.Cleanup(func() { a.Close(); b.Close() })
			return a, b
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			a, b := open()
			a.Create(ctx, "/memories/log", "")
			var group sync.WaitGroup
			for w := range 6 {
				s := a
				if w%2 == 1 {
					s = b
				}
				group.Go(func() {
					for i := range 20 {
						if r := s.Insert(ctx, "/memories/log", 0, fmt.Sprintf("%d-%d", w, i)); r.IsError {
							t.Error(r.Content, r.Err)
						}
						s.View(ctx, backend.Root, nil)
					}
				})
			}
			group.Wait()
			lines := strings.Fields(textOf(t, a, "log"))
			slices.Sort(lines)
			if n := len(slices.Compact(lines)); n != 120 {
				t.Errorf("%d of 120 lines are there", n)
			}
		})
	}
}
