package findings

import (
	"context"
	"errors"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Unfinished is what is left of a purge that has begun.
type Unfinished int

// What may be left.
const (
	NothingLeft Unfinished = iota
	// AtWork: a program that lives is at it.
	AtWork
	// Begun: it was killed or stopped, and values are left. [Scrubber.Resume] ends it.
	Begun
	// Rewritten: the values are out of everything, but for old bytes in the files of the journal. [journal.Journal.EndPurge] ends it.
	Rewritten
)

// PurgeLeft reports whether the store with this journal and state folder has an unfinished purge.
func PurgeLeft(ctx context.Context, j past.Purger, stateDir string) (Unfinished, error) {
	what, compact, err := j.PendingPurge(ctx)
	if err != nil || what == nil && !compact {
		return NothingLeft, err
	}
	unlock, err := purgeTurn(ctx, stateDir, lookPatience)
	if errors.Is(err, ErrUnderWay) {
		return AtWork, nil
	}
	if err != nil {
		return NothingLeft, err
	}
	unlock()
	if what == nil {
		return Rewritten, nil
	}
	return Begun, nil
}

// ErrUnderWay means that another program is purging the store just now.
var ErrUnderWay = errors.New("another program is purging this store")

// lookPatience is how long a look for another purge tries to get the lock: long enough for a machine that is slow just now.
const lookPatience = 250 * time.Millisecond

// turnPatience is how long a purge waits for the lock: others hold it briefly to check whether a purge is under way.
const turnPatience = time.Second

// purgeTurn locks the state folder, so that one program purges at a time. The system takes the lock from a process that dies.
func purgeTurn(ctx context.Context, stateDir string, patience time.Duration) (unlock func(), err error) {
	if stateDir == "" {
		return func() {}, nil
	}
	dir, err := memstore.OpenDir(stateDir, memstore.DirOptions{})
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	release, err := dir.Lock(waiting)
	if err != nil {
		err = errors.Join(err, dir.Close())
		if errors.Is(err, memstore.ErrBusy) && ctx.Err() == nil {
			return nil, ErrUnderWay
		}
		return nil, err
	}
	return func() {
		release()
		_ = dir.Close() // nothing was written through it
	}, nil
}
