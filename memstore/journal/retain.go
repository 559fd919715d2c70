package journal

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Retention is what a user's configuration says about the past. Its zero value keeps all of it.
type Retention struct {
	Keep
	// Chain begins the hash chain, or ends it; nil: it stays as it is.
	Chain *bool
	// Every is how long nothing is done after the last time, by whichever process; 0: no time.
	Every time.Duration
}

// looseShare is the share of the database, of its pages, that may be free before it is written
// anew: pages that are free are used again, and hold nothing, since deleting overwrites.
const looseShare = 4

// Retain is [Journal.Prune] for the background: it looks first whether anything is due, and gives
// room back to the disk only where a quarter of the database is free. Edits wait for it as for any
// transaction.
func (j *Journal) Retain(ctx context.Context, r Retention) (p Pruned, err error) {
	if r.Keep == (Keep{}) && r.Chain == nil {
		return p, nil
	}
	if r.Chain != nil {
		if err := j.keepChain(*r.Chain); err != nil {
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
	if err := db.QueryRowContext(ctx, "SELECT (SELECT freelist_count FROM pragma_freelist_count), (SELECT page_count FROM pragma_page_count)").Scan(&free, &pages); err != nil {
		return p, failed("prune", err)
	}
	if free*looseShare < pages {
		return p, nil
	}
	if err := j.Compact(); !errors.Is(err, ErrBusy) { // somebody reads: the next time will do
		return p, err
	}
	return p, nil
}

// keepChain brings the chain to what is wanted, where it is not so.
func (j *Journal) keepChain(on bool) error {
	db, err := j.reader()
	if err != nil {
		return err
	}
	var is bool
	if err := db.QueryRow("SELECT EXISTS (SELECT 1 FROM meta WHERE key = 'chain')").Scan(&is); err != nil {
		return failed("chain", err)
	}
	if is == on {
		return nil
	}
	return j.SetChain(on)
}
