package journal

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"memcurator/memstore/past"
)

// Retention is what a user's configuration says about the past. Its zero value keeps all of it.
type Retention struct {
	past.Keep
	// Copy makes a verified copy once a day of use.
	Copy bool
}

// pruneEvery is how long a journal is not pruned after the last time, by whichever process.
const pruneEvery = time.Hour

// looseShare is the share of the database, of its pages, that may be free before it is compacted: free pages are reused, and hold nothing,
// since deleting overwrites.
const looseShare = 4

// Keep does in the background what keeps a journal small and safe: once an hour of use it drops what the user does not keep, and gives room
// back to the disk where a quarter of the database is free; once a day of use it makes a copy, which reads and checks all of it.
func (j *Journal) Keep(ctx context.Context, r Retention) (p past.Pruned, err error) {
	if r.Keep != (past.Keep{}) {
		if p, err = j.pruneHourly(ctx, r.Keep); err != nil {
			return p, err
		}
	}
	return p, j.keepCopy(ctx, r.Copy)
}

func (j *Journal) pruneHourly(ctx context.Context, k past.Keep) (p past.Pruned, err error) {
	var last sql.NullInt64
	if err := j.db.QueryRowContext(ctx, "SELECT (SELECT value FROM meta WHERE key = ?)", metaPruned).Scan(&last); err != nil {
		return p, j.failed("prune", err)
	}
	if now := j.options.Now(); last.Valid && now.Sub(timeOf(last)).Abs() < pruneEvery {
		return p, nil
	}
	if p, err = j.prune(ctx, k); err != nil || p.Bytes == 0 {
		return p, err
	}
	var free, pages int64
	if err := j.db.QueryRowContext(ctx, `SELECT (SELECT freelist_count FROM pragma_freelist_count),
		(SELECT page_count FROM pragma_page_count)`).Scan(&free, &pages); err != nil {
		return p, j.failed("prune", err)
	}
	if free*looseShare >= pages {
		err = j.Compact()
	}
	if errors.Is(err, past.ErrBusy) { // there is a reader: the next time will do
		err = nil
	}
	return p, err
}

// prune removes what is older than the user keeps. That cannot be undone.
func (j *Journal) prune(ctx context.Context, k past.Keep) (gone past.Pruned, err error) {
	err = j.turn(ctx, "prune", true, func(w *writer) {
		now := j.options.Now()
		gone = w.prune(ctx, k, now)
		w.set(metaPruned, now.UnixNano())
	})
	return gone, err
}

// live are the blobs that files have now, and those that these depend on.
const live = `WITH RECURSIVE live (id) AS (SELECT blob FROM file WHERE blob IS NOT NULL
	UNION SELECT b.base FROM blob b JOIN live ON b.id = live.id WHERE b.base IS NOT NULL) SELECT id FROM live`

func (w *writer) prune(ctx context.Context, k past.Keep, now time.Time) (gone past.Pruned) {
	const stored = "SELECT coalesce(sum(length(data)), 0) FROM blob"
	var before, after int64
	w.row(stored, nil, &before)
	if k.Age > 0 {
		var rev int64
		// The clock may have been wrong: what is older goes only with all that is before it.
		w.row(`SELECT coalesce((SELECT min(rev) - 1 FROM revision WHERE time >= ?), (SELECT max(rev) FROM revision), 0)`,
			[]any{now.Add(-k.Age).UnixNano()}, &rev)
		w.drop(rev, &gone)
	}
	if k.Bytes > 0 {
		w.dropTo(ctx, k.Bytes, &gone)
	}
	w.row(stored, nil, &after)
	gone.Bytes = before - after
	return gone
}

// largeFrom is the size, in bytes as stored, from which a content can be dropped alone.
const largeFrom = 64 << 10

// dropTo removes the oldest revisions until the past takes at most this many bytes. A content that is larger alone gives up its bytes, not
// the revisions before it.
func (w *writer) dropTo(ctx context.Context, most int64, p *past.Pruned) {
	for {
		large := values[int64](w, "SELECT id FROM blob WHERE length(data) > ? AND id NOT IN ("+live+") ORDER BY depth DESC", max(most, largeFrom))
		if len(large) == 0 {
			break
		}
		w.flag()
		for _, id := range large {
			w.release(id)
			w.do("UPDATE blob SET data = NULL, base = NULL, depth = 0, why = ? WHERE id = ?", whyTooBig, id)
		}
	}
	for ctx.Err() == nil {
		var size, rev, left int64
		w.row("SELECT coalesce(sum(length(data)), 0) FROM blob WHERE id NOT IN ("+live+")", nil, &size)
		w.row("SELECT count(*) FROM revision", nil, &left)
		if size <= most || left == 0 {
			return
		}
		w.row("SELECT rev FROM revision ORDER BY rev LIMIT 1 OFFSET ?", []any{left / 10}, &rev)
		w.drop(rev, p)
	}
}

// drop removes the revisions up to rev.
func (w *writer) drop(rev int64, p *past.Pruned) {
	if rev == 0 {
		return
	}
	w.do("DELETE FROM revision WHERE rev <= ?", rev)
	var n int
	if w.row("SELECT changes()", nil, &n); n == 0 {
		return
	}
	w.flag()
	p.Revisions += n
	p.Floor = rev
	w.do("DELETE FROM git_commit WHERE NOT EXISTS (SELECT 1 FROM revision r WHERE r.landed = git_commit.id)")
	w.do("DELETE FROM grp WHERE id > 0 AND id <= ? AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.grp = grp.id)", rev)
	w.sweep()
	w.set(metaFloor, rev)
}

// Compact rewrites the database without free pages, and empties the log, so that its files hold nothing that was removed. ErrBusy while
// another process reads an older state.
func (j *Journal) Compact() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.write == nil {
		return &past.Error{Op: "compact", Err: past.ErrReadOnly}
	}
	j.write.truncateLog()
	j.write.do("VACUUM")
	j.write.truncateLog()
	return j.failed("compact", j.write.end())
}

// Size is what the journal takes on disk, in bytes, and how many revisions and contents it has.
func (j *Journal) Size(ctx context.Context) (bytes int64, revisions, contents int, err error) {
	err = j.db.QueryRowContext(ctx, `SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size),
		(SELECT count(*) FROM revision), (SELECT count(*) FROM blob)`).Scan(&bytes, &revisions, &contents)
	return bytes, revisions, contents, j.failed("size", err)
}
