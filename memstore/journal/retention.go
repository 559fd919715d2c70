package journal

import (
	"context"
	"time"
)

// Keep is how much of the past the user wants. Pinned revisions stay, and so does what the
// files hold now.
type Keep struct {
	Age   time.Duration // revisions younger than that; 0: any age
	Bytes int64         // as many, newest first, as their stored bytes have room in; 0: any
}

// Pruned is what a retention has taken out.
type Pruned struct {
	Revisions int
	Bytes     int64 // of stored contents
	Floor     int64 // the oldest revision at which the tree is still known
}

// Prune takes out what is older than the user keeps, and gives the room back to the disk.
// What it takes out cannot be taken back.
func (j *Journal) Prune(ctx context.Context, k Keep) (p Pruned, err error) {
	j.Flush()
	p, err = j.prune(ctx, k)
	if err == nil && p.Revisions > 0 {
		err = j.Compact()
	}
	return p, err
}

func (j *Journal) prune(ctx context.Context, k Keep) (p Pruned, err error) {
	err = j.tx("prune", true, func(w *writer) error {
		var before int64
		if _, err := w.row("SELECT coalesce(sum(length(data)), 0) FROM blob", nil, &before); err != nil {
			return err
		}
		if k.Age > 0 {
			var rev int64
			if _, err := w.row("SELECT coalesce(max(rev), 0) FROM revision WHERE time < ?", []any{j.options.Now().Add(-k.Age).UnixNano()}, &rev); err != nil {
				return err
			}
			if err := w.cut(rev, &p); err != nil {
				return err
			}
		}
		size := before
		for k.Bytes > 0 {
			if _, err := w.row("SELECT coalesce(sum(length(data)), 0) FROM blob", nil, &size); err != nil {
				return err
			}
			var rev, left int64
			if _, err := w.row("SELECT count(*) FROM revision WHERE pinned = 0", nil, &left); err != nil {
				return err
			}
			if size <= k.Bytes || left == 0 || ctx.Err() != nil {
				break
			}
			if _, err := w.row("SELECT rev FROM revision WHERE pinned = 0 ORDER BY rev LIMIT 1 OFFSET ?", []any{left / 10}, &rev); err != nil {
				return err
			}
			if err := w.cut(rev, &p); err != nil {
				return err
			}
		}
		if p.Revisions == 0 {
			return nil
		}
		if _, err := w.row("SELECT coalesce(sum(length(data)), 0) FROM blob", nil, &size); err != nil {
			return err
		}
		p.Bytes = before - size
		return w.rechain()
	})
	return p, err
}

// cut takes out the revisions up to rev.
func (w *writer) cut(rev int64, p *Pruned) error {
	if rev == 0 {
		return nil
	}
	r, err := w.exec("DELETE FROM revision WHERE rev <= ? AND pinned = 0", rev)
	if err != nil {
		return err
	}
	n, err := r.RowsAffected()
	if err != nil || n == 0 {
		return err
	}
	p.Revisions += int(n)
	p.Floor = rev
	for _, statement := range []string{
		"DELETE FROM folder_time WHERE rev <= ? AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.rev = folder_time.rev)",
		"DELETE FROM entry WHERE last IS NOT NULL AND last <= ?",
		"DELETE FROM grp WHERE id > 0 AND id <= ? AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.grp = grp.id)",
	} {
		if err := w.do(statement, rev); err != nil {
			return err
		}
	}
	if err := w.do(dropBlobs); err != nil {
		return err
	}
	return w.set("cut", rev)
}

// dropBlobs takes out the contents that nothing names any more.
const dropBlobs = `DELETE FROM blob WHERE NOT EXISTS (SELECT 1 FROM revision r WHERE r.before = blob.id)
	AND NOT EXISTS (SELECT 1 FROM revision r WHERE r.after = blob.id) AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.blob = blob.id)
	AND NOT EXISTS (SELECT 1 FROM intent_change c WHERE c.before = blob.id OR c.after = blob.id)`

// Compact writes the database anew without free pages, and empties the log: after it nothing that
// was taken out is left in its files. ErrBusy where another process reads an older state just now.
func (j *Journal) Compact() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.write == nil {
		return &Error{Op: "compact", Err: ErrReadOnly}
	}
	for _, s := range []string{"PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		var busy, logged, done int
		if s == "VACUUM" {
			if err := j.write.do(s); err != nil {
				return failed("compact", err)
			}
			continue
		}
		if _, err := j.write.row(s, nil, &busy, &logged, &done); err != nil {
			return failed("compact", err)
		}
		if busy != 0 {
			return &Error{Op: "compact", Err: ErrBusy}
		}
	}
	return nil
}

// Size is what the journal takes on disk, in bytes, and how many revisions and contents it has.
func (j *Journal) Size(ctx context.Context) (bytes int64, revisions, contents int, err error) {
	db, err := j.reader()
	if err != nil {
		return 0, 0, 0, err
	}
	err = db.QueryRowContext(ctx, `SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size),
		(SELECT count(*) FROM revision), (SELECT count(*) FROM blob)`).Scan(&bytes, &revisions, &contents)
	return bytes, revisions, contents, failed("size", err)
}
