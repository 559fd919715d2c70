package sidecar

import (
	"context"
	"os"
	"sync"
	"time"
)

// How often a follower queries the journal without a ring: a writer may be killed between its commit and the bell, and older
// versions have no bell. Without a bell, polling is all there is.
const (
	pollWithBell    = 2 * time.Second
	pollWithoutBell = 250 * time.Millisecond
)

// Bell wakes the followers of a journal, in this process directly and in others through its file, which is written to after each
// commit that they may be waiting for. Its content is meaningless. Unlike the write-ahead log, it is not written when an edit only
// begins. The zero value wakes this process alone. Safe for concurrent use.
type Bell struct {
	path string

	mu        sync.Mutex
	rung      chan struct{} // closed by the next ring
	file      *os.File      // opened by the first ring
	silent    bool          // the file cannot be written, or the journal is closed
	listening bool          // rings of other processes arrive here
	tried     bool          // to listen, or the journal is closed
	unlisten  context.CancelFunc
}

// NewBell is the bell beside a database.
func NewBell(database string) *Bell { return &Bell{path: database + "-bell"} }

// Wait returns a channel that the next ring closes. Callers take it before they query, so that no ring is missed.
func (b *Bell) Wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung == nil {
		b.rung = make(chan struct{})
	}
	return b.rung
}

// Wake wakes the followers in this process.
func (b *Bell) Wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung != nil {
		close(b.rung)
		b.rung = nil
	}
}

// Ring wakes the followers in all processes.
func (b *Bell) Ring() {
	b.Wake()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.silent || b.path == "" {
		return
	}
	if b.file == nil {
		f, err := os.OpenFile(b.path, os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			b.silent = true // they still poll
			return
		}
		b.file = f
	}
	_, err := b.file.WriteAt([]byte{'\n'}, 0)
	b.silent = err != nil
}

// wakeFunc watches a file and sends on each write to it, until its context ends.
type wakeFunc = func(ctx context.Context, file string) (<-chan struct{}, error)

// listen starts to pass on the rings of other processes, once; it reports whether they arrive.
func (b *Bell) listen(wake wakeFunc) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tried || wake == nil || b.path == "" {
		return b.listening
	}
	b.tried = true
	if f, err := os.OpenFile(b.path, os.O_WRONLY|os.O_CREATE, 0o600); err == nil {
		_ = f.Close() // it only has to exist to be watched
	}
	ctx, cancel := context.WithCancel(context.Background())
	rings, err := wake(ctx, b.path)
	if err != nil {
		cancel()
		return false
	}
	b.listening, b.unlisten = true, cancel
	go func() {
		for range rings {
			b.Wake()
		}
		b.mu.Lock()
		b.listening = false
		b.mu.Unlock()
	}()
	return true
}

// Pause waits for a ring, or for the time after which a follower queries without one. rung is from [Bell.Wait].
func (b *Bell) Pause(ctx context.Context, rung <-chan struct{}, wake wakeFunc) error {
	again := pollWithoutBell
	if b.listen(wake) {
		again = pollWithBell
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

// Close stops listening; those who wait are woken.
func (b *Bell) Close() {
	b.mu.Lock()
	if b.unlisten != nil {
		b.unlisten()
	}
	if b.file != nil {
		_ = b.file.Close() // its content is meaningless
		b.file = nil
	}
	b.silent, b.tried = true, true
	b.mu.Unlock()
	b.Wake()
}
