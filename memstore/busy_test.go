package memstore

import (
	"context"
	"errors"
	"testing"
	"time"

	"memcurator/memstore/backend"
)

// busyBackend is a backend whose lock is held for longer than any caller waits.
type busyBackend struct{ backend.Backend }

func (busyBackend) Lock(context.Context) (func(), error) { return nil, backend.ErrBusy }

// A lock that is never released is reported after a while; if a context ends first, its own sentence is.
func TestHeldLockIsTold(t *testing.T) {
	base := t.TempDir()
	holder, err := OpenDir(base, DirOptions{})
	must(t, err)
	defer holder.Close()
	d, err := OpenDir(base, DirOptions{})
	must(t, err)
	unlock, err := holder.Lock(t.Context())
	must(t, err)
	for _, dialect := range Dialects() {
		r := New(busyBackend{d}, Options{Dialect: dialect}).Create(t.Context(), "/memories/a", "")
		if want := docsRules.sentence(CmdCreate, "/memories/a", backend.ErrBusy); r.Content != want || !errors.Is(r.Err, backend.ErrBusy) {
			t.Errorf("%s: %q (%v)", dialect, r.Content, r.Err)
		}
		s := New(d, Options{Dialect: dialect})
		cancelled, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		if r := s.Create(cancelled, "/memories/a", ""); r.Content != "Error: The command on /memories/a was cancelled" ||
			!errors.Is(r.Err, backend.ErrBusy) {
			t.Errorf("%s: %q (%v)", dialect, r.Content, r.Err)
		}
		ended, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		if r := s.Create(ended, "/memories/a", ""); r.Content != "Error: The command on /memories/a took too long and was ended" {
			t.Errorf("%s: %q (%v)", dialect, r.Content, r.Err)
		}
		cancel()
	}
	unlock()
	if r := New(d, Options{}).Create(t.Context(), "/memories/a", ""); r.IsError {
		t.Error(r.Content)
	}
	must(t, d.Close())
}
