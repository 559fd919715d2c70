package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// TestFailingSyncIsTriedAgain: after a comparison that fails everything is compared again, each time after twice the wait, and the
// state says that changes are not recorded until one succeeds.
func TestFailingSyncIsTriedAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "memories")
	mkdir(t, dir)
	store, err := memstore.Open(dir, memstore.Options{})
	must(t, err)
	defer store.Close()
	const first = 20 * time.Millisecond
	type call struct {
		at    time.Time
		hints past.Hints
	}
	calls := make(chan call, 10)
	var warned, works atomic.Int64
	o := Options{
		Sync: func(_ context.Context, h past.Hints) (past.Synced, error) {
			calls <- call{time.Now(), h}
			switch works.Load() {
			case 0:
				return past.Synced{}, &past.Error{Op: "compare", Err: past.ErrFull}
			case 1:
				works.Store(2)
				return past.Synced{}, errors.New("open /home/user/notes: something else")
			}
			return past.Synced{Made: 1}, nil
		},
		Warn: func(error) { warned.Add(1) },
	}
	o.system.failed = first
	w, err := Start(context.Background(), store, o)
	must(t, err)
	defer w.Close()
	until := func(state State, note string) {
		t.Helper()
		for {
			select {
			case u := <-w.Updates():
				if u.State == state && (note == "" && u.Note == "" || note != "" && strings.Contains(u.Note, note)) {
					return
				}
				if strings.Contains(u.Note, "/home") {
					t.Fatalf("a path of the host is in %q", u.Note)
				}
			case <-time.After(patience):
				t.Fatalf("never %v with %q", state, note)
			}
		}
	}
	next := func() call {
		t.Helper()
		select {
		case c := <-calls:
			return c
		case <-time.After(patience):
			t.Fatal("it is not tried again")
			return call{}
		}
	}
	until(Live, "")
	must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("one"), 0o600))
	before := next()
	if before.hints.Tree != nil || len(before.hints.Names) != 1 {
		t.Errorf("first it compares %+v", before.hints)
	}
	for wait := first; wait <= 4*first; wait *= 2 {
		again := next()
		if again.hints.Tree == nil {
			t.Errorf("after a failure it compares only %v", again.hints.Names)
		}
		if gap := again.at.Sub(before.at); gap < wait {
			t.Errorf("it waits %v instead of %v", gap, wait)
		}
		before = again
	}
	until(Limited, "no space left on the device")
	works.Store(1)
	until(Limited, "can't compare")
	until(Live, "")
	if warned.Load() < 4 {
		t.Errorf("%d failures are reported", warned.Load())
	}
}
