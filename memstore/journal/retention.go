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
	AND NOT EXISTS (SELECT 1 FROM blob d JOIN entry e ON e.blob = d.id AND e.last IS NULL WHERE d.base = blob.id)`

// pastBytes is the size of what [Keep.Bytes] bounds.
const pastBytes = "SELECT coalesce(sum(length(data)), 0) FROM blob WHERE " + pastOnly

// storedBytes is the size of all contents.
const storedBytes = "SELECT coalesce(sum(length(data)), 0) FROM blob"

// Prune removes what is older than the user keeps, and frees the disk space.
// That cannot be undone.
func (j *Journal) Prune(ctx context.Context, k past.Keep) (p past.Pruned, err error) {
	p, err = j.pruner.prune(ctx, k)
	if err == nil && p.Revisions > 0 {
		err = j.Compact()
	}
	return p, err
}

func (p *pruner) prune(ctx context.Context, k past.Keep) (gone past.Pruned, err error) {
	err = p.j.turn(ctx, "prune", true, func(w *tableWriter) error {
		var before int64
		if _, err := w.Row(storedBytes, nil, &before); err != nil {
			return err
		}
		if k.Age > 0 {
			var rev int64
			if _, err := w.Row("SELECT coalesce(max(rev), 0) FROM revision WHERE time < ?",
				[]any{p.j.options.Now().Add(-k.Age).UnixNano()}, &rev); err != nil {
				return err
			}
			if err := w.cut(rev, &gone); err != nil {
				return err
			}
		}
		if k.Bytes > 0 {
			if err := w.cutTo(ctx, k.Bytes, &gone); err != nil {
				return err
			}
		}
		if gone.Revisions > 0 {
			if err := w.blobs.Rebase(); err != nil {
				return err
			}
		}
		if _, err := w.Row(storedBytes, nil, &gone.Bytes); err != nil {
			return err
		}
		gone.Bytes = before - gone.Bytes
		return nil
	})
	return gone, err
}

// cutTo removes the oldest revisions until the past takes at most this many bytes.
func (w *tableWriter) cutTo(ctx context.Context, most int64, p *past.Pruned) error {
	if err := w.Do(`UPDATE blob SET codec = 0, data = NULL, base = NULL, spent = NULL, why = ? WHERE length(data) > ? AND `+pastOnly+`
		AND NOT EXISTS (SELECT 1 FROM blob d WHERE d.base = blob.id)`, content.WhyTooBig, max(most, boundStep)); err != nil {
		return err
	}
	for ctx.Err() == nil {
		var size, rev, left int64
		if _, err := w.Row(pastBytes, nil, &size); err != nil {
			return err
		}
		if _, err := w.Row("SELECT count(*) FROM revision", nil, &left); err != nil {
			return err
		}
		if size <= most || left == 0 {
			return nil
		}
		if _, err := w.Row("SELECT rev FROM revision ORDER BY rev LIMIT 1 OFFSET ?", []any{left / 10}, &rev); err != nil {
			return err
		}
		if err := w.cut(rev, p); err != nil {
			return err
		}
	}
	return nil
}

// cut removes the revisions up to rev.
func (w *tableWriter) cut(rev int64, p *past.Pruned) error {
	if rev == 0 {
		return nil
	}
	r, err := w.Exec("DELETE FROM revision WHERE rev <= ?", rev)
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
		"DELETE FROM entry WHERE last IS NOT NULL AND last <= ?",
		"DELETE FROM git_commit WHERE ? > 0 AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.landed = git_commit.id)",
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
	j.pruner.keep(r.Bytes)
	return j.pruner.retain(ctx, r)
}

func (p *pruner) retain(ctx context.Context, r Retention) (gone past.Pruned, err error) {
	if r.Keep == (past.Keep{}) {
		return gone, nil
	}
	db, err := p.j.pool.Reader()
	if err != nil {
		return gone, err
	}
	var last, oldest sql.NullInt64
	if err := db.QueryRowContext(ctx, `SELECT (SELECT value FROM meta WHERE key = 'retained'),
		(SELECT min(time) FROM (SELECT time FROM revision ORDER BY rev LIMIT 1))`).Scan(&last, &oldest); err != nil {
		return gone, failed("prune", err)
	}
	now := p.j.options.Now()
	if !oldest.Valid || last.Valid && now.Sub(schema.Time(last.Int64)) < r.Every && !now.Before(schema.Time(last.Int64)) {
		return gone, nil
	}
	if r.Bytes == 0 && now.Sub(schema.Time(oldest.Int64)) <= r.Age {
		return gone, nil
	}
	if gone, err = p.prune(ctx, r.Keep); err != nil {
		return gone, err
	}
	if err := p.j.tx("prune", false, func(w *tableWriter) error { return w.set("retained", now.UnixNano()) }); err != nil {
		return gone, err
	}
	if gone.Revisions == 0 {
		return gone, nil
	}
	var free, pages int64
	if err := db.QueryRowContext(ctx, `SELECT (SELECT freelist_count FROM pragma_freelist_count),
		(SELECT page_count FROM pragma_page_count)`).Scan(&free, &pages); err != nil {
		return gone, failed("prune", err)
	}
	if free*looseShare < pages {
		return gone, nil
	}
	if err := p.j.Compact(); !errors.Is(err, past.ErrBusy) { // there is a reader: the next time will do
		return gone, err
	}
	return gone, nil
}

// pruner drops what the user does not keep, and keeps the past within its size while the journal is in use. Nothing of it happens
// on the way of an edit.
type pruner struct {
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

func (p *pruner) keep(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes = bytes
}

// close stops a check in progress.
func (p *pruner) close() {
	p.mu.Lock()
	p.closed = true
	if p.stop != nil {
		p.stop()
	}
	p.mu.Unlock()
	p.looking.Wait()
}

// grown takes the number of bytes of contents that this Journal has stored since it was opened.
func (p *pruner) grown(stored int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bytes == 0 || p.busy || p.closed || stored-p.looked < max(p.bytes/8, boundStep) {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	p.looked, p.busy, p.stop = stored, true, stop
	keep := Retention{Keep: past.Keep{Bytes: p.bytes}}
	p.looking.Go(func() {
		defer stop()
		if err := p.keepWithin(ctx, keep); err != nil && ctx.Err() == nil {
			p.j.options.Warn(failed("prune", err))
		}
		p.mu.Lock()
		p.busy = false
		p.mu.Unlock()
	})
}

// keepWithin is retain after a check that makes no other call wait.
func (p *pruner) keepWithin(ctx context.Context, r Retention) error {
	db, err := p.j.pool.ReaderNow()
	if err != nil {
		return err
	}
	var size int64
	if err := db.QueryRowContext(ctx, pastBytes).Scan(&size); err != nil || size <= r.Bytes {
		return err
	}
	_, err = p.retain(ctx, r)
	return err
}
