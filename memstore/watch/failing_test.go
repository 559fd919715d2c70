package watch

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// TestFailingSyncIsTriedAgain: after a comparison that fails everything is compared again after a wait, and the state
// says that changes are not recorded until one succeeds.
func TestFailingSyncIsTriedAgain(t *testing.T) {
	t.Parallel()
	const first = 20 * time.Millisecond
	store := memstore.New(memstore.NewMemory(), memstore.Options{})
	type call struct {
		at    time.Time
		whole bool
	}
	var calls []call
	o := Options{Warn: func(error) {}, system: system{pollEach: time.Millisecond, failed: first}}
	o.Sync = func(_ context.Context, h past.Hints) (made int, err error) {
		switch calls = append(calls, call{time.Now(), h.Tree != nil}); len(calls) {
		case 1, 2, 3:
			return 0, &past.Error{Err: memstore.ErrNoSpace}
		case 4:
			return 0, errors.New("open /home/user/notes: something else")
		}
		return 1, nil
	}
	w, err := Start(t.Context(), store, o)
	must(t, err)
	defer w.Close()
	until := func(state State, note string) {
		t.Helper()
		for {
			select {
			case u := <-w.Updates():
				if strings.Contains(u.Note, "/home") {
					t.Fatalf("a path of the host is in %q", u.Note)
				}
				if u.State == state && strings.Contains(u.Note, note) {
					return
				}
			case <-time.After(patience):
				t.Fatalf("never %v with %q", state, note)
			}
		}
	}
	until(Polling, "doesn't report changes")
	store.Do(t.Context(), memstore.Command{Name: memstore.CmdCreate, Path: "/memories/a.md", FileText: "one"})
	until(Limited, "No space left on the device")
	until(Limited, "Can't compare")
	until(Polling, "")
	must(t, w.Close())
	for i, c := range calls {
		if i > 0 && (!c.whole || c.at.Sub(calls[i-1].at) < first) {
			t.Errorf("calls %+v", calls)
		}
	}
}
