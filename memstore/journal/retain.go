package journal

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"memcurator/memstore/past"
)

// Retention is what a user's configuration says about the past. Its zero value keeps all of it.
type Retention struct {
	past.Keep
	// Chain begins the hash chain, or removes it; nil: it stays as it is.
	Chain *bool
	// Copy makes a verified copy once a day of use.
	Copy bool
	// Every is how long nothing is done after the last time, by whichever process; 0: no time.
	Every time.Duration
}

// looseShare is the share of the database, of its pages, that may be free before it is written
// anew: pages that are free are used again, and hold nothing, since deleting overwrites.
const looseShare = 4

// Retain is [Journal.Prune] for the background: it looks first whether anything is due, and gives
// room back to the disk only where a quarter of the database is free. Edits wait for it as for any
// transaction. From then on the journal keeps to r.Bytes by itself while it is open: whenever what this process has
// recorded has grown by an eighth of that, it looks again.
func (j *Journal) Retain(ctx context.Context, r Retention) (p past.Pruned, err error) {
	j.bound.keep(r.Bytes)
	return j.retain(ctx, r)
}

func (j *Journal) retain(ctx context.Context, r Retention) (p past.Pruned, err error) {
	if r.Keep == (past.Keep{}) && r.Chain == nil {
		return p, nil
	}
	if r.Chain != nil {
		if err := j.keepChain(ctx, *r.Chain); err != nil {
			return p, err
		}
	}
	db, err := j.reader()
	if err != nil {
		return p, err
	}
	var last, oldest sql.NullInt64
	if err := db.QueryRowContext(ctx, `SELECT (SELECT value FROM meta WHERE key = 'retained'),
		(SELECT min(time) FROM (SELECT time FROM revision WHERE pinned = 0 ORDER BY rev LIMIT 1))`).Scan(&last, &oldest); err != nil {
		return p, failed("prune", err)
	}
	now := j.options.Now()
	if !oldest.Valid || last.Valid && now.Sub(unixTime(last.Int64)) < r.Every && !now.Before(unixTime(last.Int64)) {
		return p, nil
	}
	if r.Bytes == 0 && now.Sub(unixTime(oldest.Int64)) <= r.Age {
		return p, nil
	}
	if r.Age > 0 {
		doubt, err := j.clockDoubt(ctx)
		if err != nil {
			return p, err
		}
		if !doubt.IsZero() && r.Bytes == 0 {
			return p, &past.Error{Op: "prune", Err: ErrClock}
		}
		if !doubt.IsZero() {
			r.Age = 0
		}
	}
	if p, err = j.prune(ctx, r.Keep); err != nil {
		return p, err
	}
	if err := j.tx("prune", false, func(w *writer) error { return w.set("retained", now.UnixNano()) }); err != nil {
		return p, err
	}
	if p.Revisions == 0 {
		return p, nil
	}
	var free, pages int64
	if err := db.QueryRowContext(ctx, `SELECT (SELECT freelist_count FROM pragma_freelist_count),
		(SELECT page_count FROM pragma_page_count)`).Scan(&free, &pages); err != nil {
		return p, failed("prune", err)
	}
	if free*looseShare < pages {
		return p, nil
	}
	if err := j.Compact(); !errors.Is(err, past.ErrBusy) { // there is a reader: the next time will do
		return p, err
	}
	return p, nil
}

// bound keeps the past within its size while the journal is in use. Nothing of it happens on the way of an edit.
type bound struct {
	j       *Journal
	mu      sync.Mutex
	bytes   int64 // 0: any
	looked  int64 // how much had been stored at the last check
	stop    context.CancelFunc
	looking sync.WaitGroup // one at most
	busy    bool
	closed  bool
}

// boundStep is the least growth, in bytes, after which the size is checked.
const boundStep = 64 << 10

func (b *bound) keep(bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bytes = bytes
}

// close stops a check in progress.
func (b *bound) close() {
	b.mu.Lock()
	b.closed = true
	if b.stop != nil {
		b.stop()
	}
	b.mu.Unlock()
	b.looking.Wait()
}

// grown takes the number of bytes of contents that this Journal has stored since it was opened.
func (b *bound) grown(stored int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bytes == 0 || b.busy || b.closed || stored-b.looked < max(b.bytes/8, boundStep) {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	b.looked, b.busy, b.stop = stored, true, stop
	keep := Retention{Keep: past.Keep{Bytes: b.bytes}}
	b.looking.Go(func() {
		defer stop()
		if err := b.keepWithin(ctx, keep); err != nil && ctx.Err() == nil {
			b.j.options.Warn(failed("prune", err))
		}
		b.mu.Lock()
		b.busy = false
		b.mu.Unlock()
	})
}

// keepWithin is retain after a check that makes no other call wait.
func (b *bound) keepWithin(ctx context.Context, r Retention) error {
	db, err := b.j.readerNow()
	if err != nil {
		return err
	}
	var size int64
	if err := db.QueryRowContext(ctx, pastBytes).Scan(&size); err != nil || size <= r.Bytes {
		return err
	}
	_, err = b.j.retain(ctx, r)
	return err
}

// keepChain brings the chain to what is wanted, where it is not so.
func (j *Journal) keepChain(ctx context.Context, on bool) error {
	db, err := j.reader()
	if err != nil {
		return err
	}
	var is bool
	if err := db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM meta WHERE key = 'chain')").Scan(&is); err != nil {
		return failed("chain", err)
	}
	if is == on {
		return nil
	}
	return j.SetChain(ctx, on)
}
