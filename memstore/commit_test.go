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
				data, err := backend.ReadFile(mem, name, backend.Look, MaxFile)
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
