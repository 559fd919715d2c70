package journal

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// pastOnly is true of a blob that only revisions need which may go. The text of a live file may be stored as a delta on one.
const pastOnly = `NOT EXISTS (SELECT 1 FROM entry e WHERE e.blob = blob.id AND e.last IS NULL)
	AND NOT EXISTS (SELECT 1 FROM blob d JOIN entry e ON e.blob = d.id AND e.last IS NULL WHERE d.base = blob.id)
	AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.before = blob.id AND r.pinned = 1)
	AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.after = blob.id AND r.pinned = 1)
	AND NOT EXISTS (SELECT 1 FROM intent_change c WHERE c.before = blob.id OR c.after = blob.id)`

// pastBytes is the size of what [Keep.Bytes] bounds.
const pastBytes = "SELECT coalesce(sum(length(data)), 0) FROM blob WHERE " + pastOnly

// storedBytes is the size of all contents.
const storedBytes = "SELECT coalesce(sum(length(data)), 0) FROM blob"

// Prune removes what is older than the user keeps, and frees the disk space.
// That cannot be undone.
func (j *Journal) Prune(ctx context.Context, k past.Keep) (p past.Pruned, err error) {
	j.Flush()
	p, err = j.prune(ctx, k)
	if err == nil && k.Age > 0 { // a manual prune trusts the clock
		err = j.tx("prune", false, func(w *writer) error { return w.Do("DELETE FROM meta WHERE key = ?", schema.MetaDoubt) })
	}
	if err == nil && p.Revisions > 0 {
		err = j.Compact()
	}
	return p, err
}

func (j *Journal) prune(ctx context.Context, k past.Keep) (p past.Pruned, err error) {
	err = j.tx("prune", true, func(w *writer) error {
		var before int64
		if _, err := w.Row(storedBytes, nil, &before); err != nil {
			return err
		}
		if k.Age > 0 {
			var rev int64
			if _, err := w.Row("SELECT coalesce(max(rev), 0) FROM revision WHERE time < ?",
				[]any{j.options.Now().Add(-k.Age).UnixNano()}, &rev); err != nil {
				return err
			}
			if err := w.cut(rev, &p); err != nil {
				return err
			}
		}
		if k.Bytes > 0 {
			if err := w.cutTo(ctx, k.Bytes, &p); err != nil {
				return err
			}
		}
		if p.Revisions > 0 {
			if err := w.blobs.Rebase(); err != nil {
				return err
			}
		}
		if _, err := w.Row(storedBytes, nil, &p.Bytes); err != nil {
			return err
		}
		if p.Bytes = before - p.Bytes; p.Revisions == 0 {
			return nil
		}
		return w.rechain()
	})
	return p, err
}

// cutTo removes the oldest revisions until the past takes at most this many bytes.
func (w *writer) cutTo(ctx context.Context, most int64, p *past.Pruned) error {
	if err := w.Do(`UPDATE blob SET codec = 0, data = NULL, base = NULL, spent = NULL, why = ? WHERE length(data) > ? AND `+pastOnly+`
		AND NOT EXISTS (SELECT 1 FROM blob d WHERE d.base = blob.id)`, content.WhyTooBig, max(most, boundStep)); err != nil {
		return err
	}
	for ctx.Err() == nil {
		var size, rev, left int64
		if _, err := w.Row(pastBytes, nil, &size); err != nil {
			return err
		}
		if _, err := w.Row("SELECT count(*) FROM revision WHERE pinned = 0", nil, &left); err != nil {
			return err
		}
		if size <= most || left == 0 {
			return nil
		}
		if _, err := w.Row("SELECT rev FROM revision WHERE pinned = 0 ORDER BY rev LIMIT 1 OFFSET ?", []any{left / 10}, &rev); err != nil {
			return err
		}
		if err := w.cut(rev, p); err != nil {
			return err
		}
	}
	return nil
}

// cut removes the revisions up to rev.
func (w *writer) cut(rev int64, p *past.Pruned) error {
	if rev == 0 {
		return nil
	}
	r, err := w.Exec("DELETE FROM revision WHERE rev <= ? AND pinned = 0", rev)
	if err != nil {
		return err
	}
	n, err := r.RowsAffected()
	if err != nil || n == 0 {
		return err
	}
	w.flag()
	p.Revisions += int(n)
	p.Floor = rev
	for _, statement := range []string{
		"DELETE FROM access_time WHERE rev <= ? AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.rev = access_time.rev)",
		"DELETE FROM folder_time WHERE rev <= ? AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.rev = folder_time.rev)",
		"DELETE FROM entry WHERE last IS NOT NULL AND last <= ?",
		"DELETE FROM grp WHERE id > 0 AND id <= ? AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.grp = grp.id)",
	} {
		if err := w.Do(statement, rev); err != nil {
			return err
		}
	}
	if err := w.blobs.Drop(); err != nil {
		return err
	}
	return w.set("cut", rev)
}

// Compact rewrites the database without free pages, and empties the log, so that its files
// hold nothing that was removed. ErrBusy while another process reads an older state.
func (j *Journal) Compact() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.write == nil {
		return &past.Error{Op: "compact", Err: past.ErrReadOnly}
	}
	if err := j.write.TruncateLog(); err != nil {
		return failed("checkpoint", err)
	}
	if err := j.write.Do("VACUUM"); err != nil {
		return failed("compact", err)
	}
	return failed("checkpoint", j.write.TruncateLog())
}

// Size is what the journal takes on disk, in bytes, and how many revisions and contents it has.
func (j *Journal) Size(ctx context.Context) (bytes int64, revisions, contents int, err error) {
	db, err := j.pool.Reader()
	if err != nil {
		return 0, 0, 0, err
	}
	err = db.QueryRowContext(ctx, `SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size),
		(SELECT count(*) FROM revision), (SELECT count(*) FROM blob)`).Scan(&bytes, &revisions, &contents)
	return bytes, revisions, contents, failed("size", err)
}

// Retention is what a user's configuration says about the past. Its zero value keeps all of it.
type Retention struct {
	past.Keep
	// Chain begins the hash chain, or removes it; nil: unchanged.
	Chain *bool
	// Copy makes a verified copy once a day of use.
	Copy bool
	// Every is how long nothing is done after the last time, by whichever process; 0: no time.
	Every time.Duration
}

// looseShare is the share of the database, of its pages, that may be free before it is
// compacted: free pages are reused, and hold nothing, since deleting overwrites.
const looseShare = 4

// Retain is [Journal.Prune] for the background: it first checks whether anything is due, and gives
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
	db, err := j.pool.Reader()
	if err != nil {
		return p, err
	}
	var last, oldest sql.NullInt64
	if err := db.QueryRowContext(ctx, `SELECT (SELECT value FROM meta WHERE key = 'retained'),
		(SELECT min(time) FROM (SELECT time FROM revision WHERE pinned = 0 ORDER BY rev LIMIT 1))`).Scan(&last, &oldest); err != nil {
		return p, failed("prune", err)
	}
	now := j.options.Now()
	if !oldest.Valid || last.Valid && now.Sub(schema.Time(last.Int64)) < r.Every && !now.Before(schema.Time(last.Int64)) {
		return p, nil
	}
	if r.Bytes == 0 && now.Sub(schema.Time(oldest.Int64)) <= r.Age {
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
	db, err := b.j.pool.ReaderNow()
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
	db, err := j.pool.Reader()
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

// ClockAhead is how far the clock may be ahead of the newest time in a journal before it is doubted: daily
// work stays far below it, a wrong year does not. ClockBehind is how far it may be behind.
const (
	ClockAhead  = 180 * 24 * time.Hour
	ClockBehind = 24 * time.Hour
)

// ErrClock means that nothing was dropped by age, because the clock may be wrong.
var ErrClock = errors.New("the clock is far off the times in the journal")

// doubtClock compares the clock with the journal before anything is recorded with it.
func (j *Journal) doubtClock() {
	span, err := j.Span(context.Background())
	if err == nil && !span.Newest.IsZero() {
		if gap := j.options.Now().Sub(span.Newest); gap > ClockAhead || gap < -ClockBehind {
			err = j.tx("clock", false, func(w *writer) error {
				return w.Do("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING", schema.MetaDoubt, span.Newest.UnixNano())
			})
		}
	}
	if err != nil {
		j.options.Warn(failed("clock", err))
	}
}

// clockDoubt is the newest moment before the clock jumped. It is zero where the clock is trusted: it never jumped, or it is
// near that moment again.
func (j *Journal) clockDoubt(ctx context.Context) (known time.Time, err error) {
	db, err := j.pool.ReaderNow()
	if err != nil {
		return known, err
	}
	var at int64
	if err := db.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM meta WHERE key = ?), 0)", schema.MetaDoubt).
		Scan(&at); err != nil || at == 0 {
		return known, failed("clock", err)
	}
	if gap := j.options.Now().Sub(schema.Time(at)); gap <= ClockAhead && gap >= -ClockBehind {
		return known, nil
	}
	return schema.Time(at), nil
}
