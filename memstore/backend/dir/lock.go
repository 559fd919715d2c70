package dir

import (
	"context"
	"fmt"
	"sync"
	"time"

	"memcurator/memstore/backend"
)

// Waiting times between attempts at a lock that another process holds, doubling from the first to the longest. A blocking lock call
// couldn't be interrupted by a context.
const (
	lockFirstWait   = 200 * time.Microsecond
	lockLongestWait = 10 * time.Millisecond
)

// Lock implements [backend.Backend]. Callers in this process queue for a token, since a system lock belongs to the open directory that
// they share; the holder of the token then takes the lock among processes. On a file system without locks, only this process is
// serialized. If another process doesn't release the lock within half a minute, the error is [backend.ErrBusy].
func (d *Dir) Lock(ctx context.Context) (func(), error) {
	if ctx.Err() != nil {
		return nil, busy(ctx)
	}
	// Set here, so that queued callers don't each wait the full time.
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

// lockProcesses locks the directory that is at the path once the lock is
// taken. It tries at least once, and then until the given time.
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
		// Release the directory while waiting: it may be replaced.
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
