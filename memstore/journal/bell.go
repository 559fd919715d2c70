package journal

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// bellName is the file in the state folder that is written to after each commit that followers may be waiting for. Its content is
// meaningless: the write wakes the processes that follow the journal. Unlike the write-ahead log, it is not written when an edit
// only begins.
const bellName = fileName + "-bell"

// How often a follower queries the journal without a ring: a writer may be killed between its commit and the bell, and older
// versions have no bell. Without a bell, polling is all there is.
const (
	pollWithBell    = 2 * time.Second
	pollWithoutBell = 250 * time.Millisecond
)

// bell wakes the followers of the journal, in this process directly and in others through its file. Safe for concurrent use.
type bell struct {
	path string

	mu        sync.Mutex
	rung      chan struct{} // closed by the next ring
	file      *os.File      // opened by the first ring
	silent    bool          // the file cannot be written, or the journal is closed
	listening bool          // rings of other processes arrive here
	tried     bool          // to listen, or the journal is closed
	unlisten  context.CancelFunc
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

// wake wakes the followers in this process.
func (b *bell) wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rung != nil {
		close(b.rung)
		b.rung = nil
	}
}

// ring wakes the followers in all processes.
func (b *bell) ring() {
	b.wake()
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
func (b *bell) listen(wake wakeFunc) bool {
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
			b.wake()
		}
		b.mu.Lock()
		b.listening = false
		b.mu.Unlock()
	}()
	return true
}

// pause waits for a ring, or for the time after which a follower queries without one. rung is from [bell.wait].
func (b *bell) pause(ctx context.Context, rung <-chan struct{}, wake wakeFunc) error {
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

func (b *bell) close() {
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
	b.wake()
}

func bellFile(database string) string { return filepath.Join(filepath.Dir(database), bellName) }
