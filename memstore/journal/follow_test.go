package journal

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// follower reads a journal to its newest revision.
type follower struct {
	t    *testing.T
	j    *Journal
	seen past.State
	revs []int64
}

// next takes one batch, which must come within the time.
func (f *follower) next(most int) past.Batch {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), 10*time.Second)
	defer cancel()
	b, err := f.j.Follow(ctx, f.seen, most)
	if err != nil {
		f.t.Fatalf("Follow after %+v: %v", f.seen, err)
	}
	for _, r := range b.Revisions {
		if r.Rev <= f.seen.Last {
			f.t.Fatalf("revision %d was delivered again", r.Rev)
		}
		f.seen.Last = r.Rev
		f.revs = append(f.revs, r.Rev)
	}
	f.seen = b.Next
	return b
}

// drain reads what is there.
func (f *follower) drain() {
	f.t.Helper()
	for {
		s, err := f.j.State(f.t.Context())
		if err != nil {
			f.t.Fatal(err)
		}
		if s == f.seen {
			return
		}
		f.next(100)
	}
}

// quiet fails if there is something to deliver.
func (f *follower) quiet() {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), 20*time.Millisecond)
	defer cancel()
	if b, err := f.j.Follow(ctx, f.seen, 10); !errors.Is(err, context.DeadlineExceeded) {
		f.t.Fatalf("Follow delivers %+v, %v", b, err)
	}
}

func TestFollowInOrder(t *testing.T) {
	d := newDesk(t)
	for i := range 25 {
		d.do(memstore.Command{Name: memstore.CmdCreate, Path: fmt.Sprintf("/memories/%d.md", i), FileText: "x\n"})
	}
	f := &follower{t: t, j: d.j}
	if b := f.next(10); len(b.Revisions) != 10 || b.Next.Last != 10 || b.Newest != 25 {
		t.Fatalf("the first page has %d revisions up to %d of %d", len(b.Revisions), b.Next.Last, b.Newest)
	}
	f.drain()
	if len(f.revs) != 25 || f.seen.Last != 25 {
		t.Fatalf("delivered %v", f.revs)
	}
	f.quiet()
}

func TestFollowEnds(t *testing.T) {
	d := newDesk(t)
	f := &follower{t: t, j: d.j}
	f.drain()
	ctx, cancel := context.WithCancel(t.Context())
	ended, j := make(chan error), d.j
	go func() {
		_, err := j.Follow(ctx, f.seen, 10)
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled follower returns %v", err)
	}
	go func() {
		_, err := j.Follow(t.Context(), f.seen, 10)
		ended <- err
	}()
	d.close()
	if err := <-ended; !errors.Is(err, past.ErrClosed) {
		t.Errorf("a follower of a closed journal returns %v", err)
	}
}

// TestFollowMissesNothing: concurrent writers and followers see the same revisions.
func TestFollowMissesNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const writers, edits = 4, 50
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range edits {
				d.do(memstore.Command{Name: memstore.CmdCreate, Path: fmt.Sprintf("/memories/%d.md", w), FileText: fmt.Sprint(i)})
			}
		})
	}
	for range 3 {
		j, err := Open(d.state, Options{Look: true})
		d.must(err)
		wg.Go(func() {
			defer j.Close()
			f := &follower{t: t, j: j}
			for len(f.revs) < writers*edits {
				f.next(7)
			}
			for i, rev := range f.revs {
				if rev != int64(i+1) {
					t.Errorf("revision %d came as number %d", rev, i+1)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestDamageReachesFollowers(t *testing.T) {
	d := newDesk(t)
	f := &follower{t: t, j: d.j}
	f.drain()
	told := 0
	d.j.options.Warn = func(error) { told++ }
	d.j.spoiled(errors.New("a page is broken"))
	d.j.spoiled(errors.New("another one is"))
	if b := f.next(10); !b.Next.Damaged {
		t.Errorf("the damage is not told: %+v", b.Next)
	}
	f.quiet()
	if told != 1 {
		t.Errorf("the damage was told %d times", told)
	}
}
