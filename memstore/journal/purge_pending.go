package journal

import (
	"context"
	"errors"
	"time"

	"memcurator/memstore/past"
)

// The keys of meta that a purge needs. What was going to be taken out does not outlive it.
const (
	metaPurges  = "purges"        // how many there were: a change means that copies in memory must be read again
	metaPurged  = "purged"        // when the newest one began to rewrite, in nanoseconds since 1970
	metaPending = "purge_pending" // what a purge that has begun was going to take out
	metaCompact = "purge_compact" // the contents are rewritten, the files of the database not yet
)

// AnnouncePurge keeps, durably, what a purge is going to take out, so that one that is killed can be
// carried on with. The journal holds the values anyway until the purge has rewritten it, and this
// note goes in the same transaction.
func (j *Journal) AnnouncePurge(ctx context.Context, what []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return j.tx("purge", true, func(w *writer) error { return w.set(metaPending, what) })
}

// PendingPurge returns what was announced and is not done. compact: everything is rewritten, but the
// files of the database may hold old bytes still; [Journal.Purge] completes both.
func (a *archive) PendingPurge(ctx context.Context) (what []byte, compact bool, err error) {
	db, err := a.readerNow()
	if err != nil {
		return nil, false, err
	}
	err = db.QueryRowContext(ctx, "SELECT (SELECT value FROM meta WHERE key = ?), (SELECT count(*) FROM meta WHERE key = ?)",
		metaPending, metaCompact).Scan(&what, &compact)
	return what, compact, failed("purge", err)
}

// Purges is how many purges the journal has been through, by whatever process. Who keeps texts of the journal or of
// the store in memory compares it with the number it had when it read them: where it has risen, they are to be
// forgotten and read anew. It is one look-up, and does not wait.
func (a *archive) Purges(ctx context.Context) (n int64, err error) {
	db, err := a.readerNow()
	if err != nil {
		return 0, err
	}
	err = db.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM meta WHERE key = ?), 0)", metaPurges).Scan(&n)
	return n, failed("purge", err)
}

// purges is Purges within a transaction, with the moment of the newest; zero: there was none.
func (w *writer) purges() (n int64, newest time.Time, err error) {
	var at int64
	if _, err := w.row("SELECT coalesce((SELECT value FROM meta WHERE key = ?), 0), coalesce((SELECT value FROM meta WHERE key = ?), 0)",
		[]any{metaPurges, metaPurged}, &n, &at); err != nil || n == 0 {
		return 0, time.Time{}, err
	}
	return n, unixTime(at), nil
}

// compactPatience is how long a purge waits for readers of an older state.
const compactPatience = 15 * time.Second

// EndPurge rewrites the files of the database if a purge was killed right before it did so, or had to leave them to
// a reader: that needs no decision, since the values are out of the journal already. Where nothing is left to do it
// does nothing. ErrBusy as with [Journal.Purge].
func (j *Journal) EndPurge(ctx context.Context) error {
	if _, compact, err := j.PendingPurge(ctx); err != nil || !compact {
		return err
	}
	return j.endPurge(ctx)
}

// endPurge writes the files of the database anew.
func (j *Journal) endPurge(ctx context.Context) error {
	if err := patiently(ctx, j.Compact); err != nil {
		return err
	}
	return j.tx("purge", true, func(w *writer) error { return w.do("DELETE FROM meta WHERE key = ?", metaCompact) })
}

// patiently repeats what readers of an older state can block, until it succeeds or compactPatience is over.
func patiently(ctx context.Context, do func() error) error {
	until := time.Now().Add(compactPatience)
	for {
		err := do()
		if err == nil || !errors.Is(err, past.ErrBusy) || time.Now().After(until) {
			return err
		}
		select {
		case <-ctx.Done():
			return failed("purge", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}
