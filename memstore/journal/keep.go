package journal

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"memcurator/memstore/past"
)

// pruneEvery is how long a journal is not pruned after the last time, by whichever process.
const pruneEvery = time.Hour

// Keep does in the background what keeps a journal small and safe: once an hour of use it drops revisions that are older than age (0:
// none), and gives the room back to the disk; once a day of use it makes a copy, which reads and checks all of it. What the files hold now
// stays. dropped is the number of revisions that went.
func (j *Journal) Keep(ctx context.Context, age time.Duration) (dropped int, err error) {
	if age > 0 {
		dropped, err = j.prune(ctx, age)
	}
	if err == nil && dropped > 0 {
		err = j.Compact()
	}
	if err != nil && !errors.Is(err, past.ErrBusy) { // there is a reader: free pages are reused, and hold nothing
		return dropped, err
	}
	return dropped, j.keepCopy(ctx)
}

// prune removes what is older than an age, once an hour. That cannot be undone.
func (j *Journal) prune(ctx context.Context, age time.Duration) (dropped int, err error) {
	var last sql.NullInt64
	if err := j.db.QueryRowContext(ctx, "SELECT (SELECT value FROM meta WHERE key = ?)", metaPruned).Scan(&last); err != nil {
		return 0, j.failed(err)
	}
	now := j.options.Now()
	if last.Valid && now.Sub(timeOf(last)).Abs() < pruneEvery {
		return 0, nil
	}
	err = j.turn(ctx, true, func(w *writer) {
		var rev int64
		// The clock may have been wrong: what is older goes only with all that is before it.
		w.row(`SELECT coalesce((SELECT min(rev) - 1 FROM revision WHERE time >= ?), (SELECT max(rev) FROM revision), 0)`,
			[]any{now.Add(-age).UnixNano()}, &rev)
		dropped = w.drop(rev)
		w.set(metaPruned, now.UnixNano())
	})
	return dropped, err
}

// drop removes the revisions up to rev, and returns how many there were.
func (w *writer) drop(rev int64) (dropped int) {
	w.do("DELETE FROM revision WHERE rev <= ?", rev)
	if w.row("SELECT changes()", nil, &dropped); dropped == 0 {
		return 0
	}
	w.flag()
	w.do("DELETE FROM grp WHERE id > 0 AND id <= ? AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.grp = grp.id)", rev)
	w.sweep()
	w.set(metaFloor, rev)
	return dropped
}

// Compact rewrites the database without free pages, and empties the log, so that its files hold nothing that was removed. ErrBusy while
// another process reads an older state.
func (j *Journal) Compact() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.write == nil {
		return &past.Error{Err: past.ErrReadOnly}
	}
	j.write.truncateLog()
	j.write.do("VACUUM")
	j.write.truncateLog()
	return j.failed(j.write.end())
}
