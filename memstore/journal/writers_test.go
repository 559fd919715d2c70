package journal

import (
	"context"
	"fmt"

	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Two processes' worth of writers, a curator who undoes, and other programs, all together: every edit
// with a success is in the journal, once, and the journal replays to the tree on disk.
func TestWritersAndACurator(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	second := &desk{t: t, dir: d.dir, state: d.state}
	second.open(Options{Warn: func(error) {}})
	t.Cleanup(second.close)
	d.syncAll()
	until := time.Now().Add(time.Duration(rounds(t, 1, 4)) * time.Second)
	var all sync.WaitGroup
	var mu sync.Mutex
	told := map[string]bool{}
	for w, store := range []*memstore.Store{d.store, second.store, second.store} {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 11))
			for n := 0; time.Now().Before(until); n++ {
				id := fmt.Sprintf("call-%d-%d", w, n)
				ctx := memstore.WithOrigin(context.Background(), memstore.Origin{ToolUseID: id})
				name := fmt.Sprintf("/memories/%c.md", 'a'+r.IntN(8))
				var got memstore.Result
				switch r.IntN(5) {
				case 0:
					got = store.Delete(ctx, name)
				case 1:
					got = store.Rename(ctx, name, fmt.Sprintf("/memories/%c.md", 'a'+r.IntN(8)))
				default:
					got = store.Create(ctx, name, fmt.Sprintf("%s\n%d\n", id, r.IntN(3)))
				}
				if !got.IsError {
					mu.Lock()
					told[id] = true
					mu.Unlock()
				}
			}
		})
	}
	all.Go(func() { curate(d, until) })
	all.Go(func() {
		r := rand.New(rand.NewPCG(99, 11))
		for time.Now().Before(until) {
			name := fmt.Sprintf("outside-%d.md", r.IntN(3))
			_ = os.WriteFile(filepath.Join(d.dir, name), fmt.Appendf(nil, "%d", r.Int()), 0o600)
			time.Sleep(time.Millisecond) // other programs are not in a hurry
			if _, err := second.j.Sync(context.Background(), past.Hints{Unseen: true}); err != nil {
				t.Error(detail(err))
				return
			}
		}
	})
	all.Wait()
	d.syncAll()
	found := map[string]int{}
	for _, rev := range d.revisions() {
		if rev.ToolUseID != "" && rev.Actor == memstore.Agent {
			found[rev.ToolUseID]++
		}
		if rev.Actor == memstore.External && !strings.Contains(rev.Path, "outside") {
			t.Errorf("one of our own edits was recorded as external: %s %s", rev.Command, rev.Path)
		}
	}
	for id := range told {
		if found[id] != 1 {
			t.Errorf("%s is there %d times", id, found[id])
		}
	}
	last, err := d.j.Last(context.Background())
	d.must(err)
	if diff := same(d.replayed(last), d.plain()); diff != "" {
		t.Errorf("replayed:\n%s", diff)
	}
	d.agrees()
	t.Logf("%d edits with a success, %d revisions", len(told), last)
}

// curate deletes and undoes until a time. What was changed meanwhile makes it fail, which is right.
func curate(d *desk, until time.Time) {
	r := rand.New(rand.NewPCG(7, 13))
	e := d.editor()
	for time.Now().Before(until) {
		ctx := memstore.WithOrigin(context.Background(), memstore.Origin{Actor: memstore.Curator})
		d.store.Delete(ctx, fmt.Sprintf("/memories/%c.md", 'a'+r.IntN(8)))
		if p, err := e.PlanUndo(context.Background()); err == nil && len(p.Conflicts) == 0 {
			_, _ = e.Carry(context.Background(), p)
		}
	}
}
