package dir

import (
	"context"
	"errors"
	"fmt"
	"os"
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

// Lock implements [backend.Backend]. Callers in this process queue for a token; its holder then takes the lock among processes. On a file
// system without locks, only this process is serialized. If another process doesn't release the lock within half a minute, the error is
// [backend.ErrBusy].
func (d *Dir) Lock(ctx context.Context) (unlock func(), err error) {
	until := time.Now().Add(d.patience) // set here, so that queued callers don't each wait the full time
	busy := func() error { return fmt.Errorf("%w: %w", backend.ErrBusy, ctx.Err()) }
	if ctx.Err() != nil {
		return nil, busy()
	}
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, busy()
	}
	for wait := lockFirstWait; ; wait = min(2*wait, lockLongestWait) {
		var release func()
		err := d.in(func(root *os.Root) (err error) {
			release, err = tryLock(root, d.path)
			return err
		})
		if err == nil {
			return sync.OnceFunc(func() { release(); <-d.turn }), nil
		}
		if !errors.Is(err, backend.ErrBusy) || time.Now().After(until) {
			<-d.turn
			return nil, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			<-d.turn
			return nil, busy()
		}
	}
}
