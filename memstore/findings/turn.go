package findings

import (
	"context"
	"errors"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal"
)

// Unfinished is the state of an unfinished purge.
type Unfinished int

// States of an unfinished purge.
const (
	NothingLeft Unfinished = iota
	// AtWork: a running program is purging.
	AtWork
	// Begun: it was killed or stopped, and values remain. [Scrubber.Resume] finishes it.
	Begun
	// Rewritten: the values are removed, except for old bytes in the files of the journal. [journal.Journal.EndPurge] finishes it.
	Rewritten
)

// PurgeLeft reports whether the store with this journal and state folder has an unfinished purge.
func PurgeLeft(ctx context.Context, j *journal.Journal, stateDir string) (Unfinished, error) {
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

// ErrUnderWay means that another program is purging the store.
var ErrUnderWay = errors.New("another program is purging this store")

// lookPatience is how long a check for another purge waits for the lock: long enough for a slow machine.
const lookPatience = 250 * time.Millisecond

// turnPatience is how long a purge waits for the lock, which others hold briefly to check for a purge.
const turnPatience = time.Second

// purgeTurn locks the state folder, so that only one program purges. The system releases the lock if the process dies.
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
