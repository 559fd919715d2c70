package journal

import (
	"context"
	"sync"
	"time"
)

// pollEach is how often a follower queries the journal without being woken: what another process records without touching a file of the
// store, as a mark, wakes nobody here.
const pollEach = 500 * time.Millisecond

// bell wakes the followers of a journal when this process records something, or has compared what another one wrote. Safe for concurrent
// use.
type bell struct {
	mu   sync.Mutex
	rung chan struct{} // closed by the next ring
}

// wait returns a channel that the next ring closes. Callers take it before they query, so that no ring is missed.
func (b *bell) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung == nil {
		b.rung = make(chan struct{})
	}
	return b.rung
}

// ring wakes the followers in this process.
func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung != nil {
		close(b.rung)
		b.rung = nil
	}
}

// pause waits for a ring, or for the time after which a follower queries without one. rung is from wait.
func pause(ctx context.Context, rung <-chan struct{}) error {
	timer := time.NewTimer(pollEach)
	defer timer.Stop()
	select {
	case <-rung:
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}
