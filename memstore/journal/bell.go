package journal

import (
	"context"
	"sync"
	"time"
)

// How often a follower queries the journal without being woken: events of the write-ahead log may fail or come late, as on network disks.
// Where the log is not watched, polling is all there is.
const (
	pollWatched   = 2 * time.Second
	pollUnwatched = 250 * time.Millisecond
)

// bell wakes the followers of a journal: those in this process directly, those in others by what is written to the write-ahead log. Safe
// for concurrent use.
type bell struct {
	file  string                                                          // the log; "": the journal is in memory
	watch func(ctx context.Context, file string) (<-chan struct{}, error) // Options.Wake

	mu       sync.Mutex
	rung     chan struct{} // closed by the next ring
	watching bool
	stop     context.CancelFunc // of the watch; nil: it never began
	closed   bool
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

// listen begins to watch the log, unless it is watched already, and reports whether it is.
func (b *bell) listen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.watching || b.watch == nil || b.file == "" || b.closed {
		return b.watching
	}
	ctx, stop := context.WithCancel(context.Background())
	writes, err := b.watch(ctx, b.file)
	if err != nil {
		stop()
		return false
	}
	b.watching, b.stop = true, stop
	go func() {
		for range writes {
			b.ring()
		}
		b.mu.Lock()
		b.watching = false
		b.mu.Unlock()
		stop()
	}()
	return true
}

// pause waits for a ring, or for the time after which a follower queries without one. rung is from wait.
func (b *bell) pause(ctx context.Context, rung <-chan struct{}) error {
	again := pollUnwatched
	if b.listen() {
		again = pollWatched
	}
	timer := time.NewTimer(again)
	defer timer.Stop()
	select {
	case <-rung:
	case <-timer.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// close stops watching; those who wait are woken.
func (b *bell) close() {
	b.mu.Lock()
	b.closed = true
	if b.stop != nil {
		b.stop()
	}
	b.mu.Unlock()
	b.ring()
}
