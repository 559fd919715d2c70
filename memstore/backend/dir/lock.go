package dir

import (
	"context"
	"fmt"
	"sync"
	"time"

	"memcurator/memstore/backend"
)

// Between two attempts at a lock that another process holds we wait this long,
// doubling from the first to the longest. Waiting in the system could not be ended by a context.
const (
	lockFirstWait   = 200 * time.Microsecond
	lockLongestWait = 10 * time.Millisecond
)

// Lock implements [backend.Backend]. Callers in this process queue for a token, since a
// lock of the system belongs to the open directory that they share; its holder then
// takes the lock among processes. On a file system without locks only
// this process takes turns. A lock that another process does not give back is
// [backend.ErrBusy] after half a minute.
func (d *Dir) Lock(ctx context.Context) (func(), error) {
	if ctx.Err() != nil {
		return nil, busy(ctx)
	}
	// From here, so that those who queue behind one another do not wait one after the other.
	until := time.Now().Add(d.patience)
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, busy(ctx)
	}
	h, err := d.lockProcesses(ctx, until)
	if err != nil {
		<-d.turn
		return nil, err
	}
	d.handles.setLocked(h)
	var once sync.Once
	return func() {
		once.Do(func() {
			d.handles.setLocked(nil)
			h.unlock()
			h.release()
			<-d.turn
		})
	}, nil
}

// lockProcesses locks the directory that is at the path once the lock is ours. It
// tries once at least, and then until the time that is given.
func (d *Dir) lockProcesses(ctx context.Context, until time.Time) (*openRoot, error) {
	wait := lockFirstWait
	for {
		h, err := d.handles.acquire()
		if err != nil {
			return nil, err
		}
		got, err := h.tryLock(d.handles.path)
		if err != nil {
			h.release()
			return nil, classify(err)
		}
		if got {
			return h, nil
		}
		// Let go of the directory while waiting: another may take its place.
		h.release()
		if !time.Now().Before(until) {
			return nil, backend.ErrBusy
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, busy(ctx)
		}
		wait = min(2*wait, lockLongestWait)
	}
}

func busy(ctx context.Context) error {
	return fmt.Errorf("%w: %w", backend.ErrBusy, ctx.Err())
}
