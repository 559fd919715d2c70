package findings

import (
	"context"
	"errors"
	"time"

	"memcurator/memstore"
)

// ErrUnderWay means that another program is purging the store.
var ErrUnderWay = errors.New("another program is purging this store")

// turnPatience is how long a purge waits for the lock, which others hold only while they purge.
const turnPatience = time.Second

// purgeTurn locks the state folder, so that only one program purges. The system releases the lock if the process dies.
func purgeTurn(ctx context.Context, stateDir string) (unlock func(), err error) {
	if stateDir == "" {
		return func() {}, nil
	}
	dir, err := memstore.OpenDir(stateDir, memstore.DirOptions{})
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, turnPatience)
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
