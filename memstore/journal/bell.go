package journal

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// BellName is the file in the state folder that is written to after each commit that others may wait for. Its content means
// nothing: the write wakes processes that follow the journal. Unlike the log of the database it is silent while an edit is
// announced only.
const BellName = FileName + "-bell"

// How often a follower looks although nothing rang: a writer may be killed between its commit and the bell, and an older version
// knows of no bell. Where no bell can be heard, looking is all there is.
const (
	lookWithBell    = 2 * time.Second
	lookWithoutBell = 250 * time.Millisecond
)

// bell wakes those who wait for revisions: in this process, and by its file in others. Safe for concurrent use.
type bell struct {
	path string

	mu      sync.Mutex
	rung    chan struct{} // closed by the next ring
	file    *os.File      // made by the first ring
	silent  bool          // the file cannot be written, or the journal is closed
	hearing bool          // rings of other processes arrive here
	asked   bool          // whether they do was found out
	deafen  context.CancelFunc
}

// wait is a channel that the next ring closes. It is taken before looking, so that no ring is missed.
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
			b.silent = true // they look from time to time
			return
		}
		b.file = f
	}
	_, err := b.file.WriteAt([]byte{'\n'}, 0)
	b.silent = err != nil
}

// listen begins to pass on the rings of other processes, once; it reports whether they can be heard.
func (b *bell) listen(wake func(ctx context.Context, file string) (<-chan struct{}, error)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asked || wake == nil || b.path == "" {
		return b.hearing
	}
	b.asked = true
	if f, err := os.OpenFile(b.path, os.O_WRONLY|os.O_CREATE, 0o600); err == nil {
		_ = f.Close() // it was only made, so that it can be watched
	}
	ctx, cancel := context.WithCancel(context.Background())
	rings, err := wake(ctx, b.path)
	if err != nil {
		cancel()
		return false
	}
	b.hearing, b.deafen = true, cancel
	go func() {
		for range rings {
			b.wake()
		}
		b.mu.Lock()
		b.hearing = false
		b.mu.Unlock()
	}()
	return true
}

func (b *bell) close() {
	b.mu.Lock()
	if b.deafen != nil {
		b.deafen()
	}
	if b.file != nil {
		_ = b.file.Close() // what is in it means nothing
		b.file = nil
	}
	b.silent, b.asked = true, true
	b.mu.Unlock()
	b.wake()
}

func bellFile(database string) string { return filepath.Join(filepath.Dir(database), BellName) }
