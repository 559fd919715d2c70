package journal

import (
	"context"
	"errors"
	"time"

	"memcurator/memstore/journal/purge"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// Purge rewrites everything that the journal keeps: contents, names, notes and access record, in one
// transaction, and then the files of the database, so that they keep no old byte. It
// cannot be undone, and no undo brings a value back: what it would restore is rewritten too. Contents
// are looked through before; edits of all processes wait only while those that hold a value are rewritten, and while the files
// are rewritten. ErrBusy where another process reads an older state for too
// long, or holds the store; of the first the rewriting is done then, and the next call ends it.
func (j *Journal) Purge(ctx context.Context, p past.Purge) (done past.Purged, err error) {
	if p.Report == nil {
		p.Report = func(int, int) {}
	}
	began := j.options.Now()
	db, err := j.pool.Reader()
	if err != nil {
		return done, err
	}
	clean, err := purge.Clean(ctx, db, &p)
	if err != nil {
		return done, failed("purge", err)
	}
	// Once it rewrites, it ends by itself or by its own checks: what it has announced goes in the same transaction.
	err = j.turn(context.WithoutCancel(ctx), "purge", true, func(w *tableWriter) error {
		r := purge.New(w.Writer, &w.blobs, p, clean)
		r.Count = func(shape past.Shape, before, after int64) (added, removed int, err error) {
			c := change{shape: shape, before: before, after: after}
			err = w.countStored(&c)
			return c.added, c.removed, err
		}
		if done, err = r.Run(ctx); err != nil {
			return err
		}
		done.Number, err = w.purged(began)
		return err
	})
	if err != nil {
		return done, failed("purge", err)
	}
	return done, j.endPurge(ctx)
}

// AnnouncePurge durably records what a purge is going to remove, so that it can be resumed if it is killed. The journal contains the
// values anyway until the purge has rewritten it, which deletes this record in the same transaction.
func (j *Journal) AnnouncePurge(ctx context.Context, what []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return j.tx("purge", true, func(w *tableWriter) error { return w.set(schema.MetaPending, what) })
}

// PendingPurge returns what was announced and is not done. compact: everything is rewritten, but the
// files of the database may hold old bytes still; [Journal.Purge] completes both.
func (j *Journal) PendingPurge(ctx context.Context) (what []byte, compact bool, err error) {
	db, err := j.pool.ReaderNow()
	if err != nil {
		return nil, false, err
	}
	err = db.QueryRowContext(ctx, "SELECT (SELECT value FROM meta WHERE key = ?), (SELECT count(*) FROM meta WHERE key = ?)",
		schema.MetaPending, schema.MetaCompact).Scan(&what, &compact)
	return what, compact, failed("purge", err)
}

// purged notes that a purge has rewritten the contents, and returns which one it is.
func (w *tableWriter) purged(began time.Time) (number int64, err error) {
	if _, err := w.Row("SELECT coalesce((SELECT value FROM meta WHERE key = ?), 0) + 1", []any{schema.MetaPurges}, &number); err != nil {
		return 0, err
	}
	w.flag()
	return number, errors.Join(w.set(schema.MetaPurges, number), w.set(schema.MetaPurged, began.UnixNano()), w.set(schema.MetaCompact, 1),
		w.Do("DELETE FROM meta WHERE key = ?", schema.MetaPending))
}

// purges is Purges within a transaction, with the moment of the newest; zero: there was none.
func (w *tableWriter) purges() (n int64, newest time.Time, err error) {
	var at int64
	if _, err := w.Row("SELECT coalesce((SELECT value FROM meta WHERE key = ?), 0), coalesce((SELECT value FROM meta WHERE key = ?), 0)",
		[]any{schema.MetaPurges, schema.MetaPurged}, &n, &at); err != nil || n == 0 {
		return 0, time.Time{}, err
	}
	return n, schema.Time(at), nil
}

// compactPatience is how long a purge waits for readers of an older state.
const compactPatience = 15 * time.Second

// EndPurge rewrites the files of the database if a purge was killed right before it did so, or had to leave them to
// a reader: that needs no decision, since the values are out of the journal already. With nothing pending it
// does nothing. ErrBusy as with [Journal.Purge].
func (j *Journal) EndPurge(ctx context.Context) error {
	if _, compact, err := j.PendingPurge(ctx); err != nil || !compact {
		return err
	}
	return j.endPurge(ctx)
}

// endPurge rewrites the files of the database.
func (j *Journal) endPurge(ctx context.Context) error {
	if err := patiently(ctx, j.Compact); err != nil {
		return err
	}
	return j.tx("purge", true, func(w *tableWriter) error { return w.Do("DELETE FROM meta WHERE key = ?", schema.MetaCompact) })
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
