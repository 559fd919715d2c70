package journal

import (
	"context"

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

// Prune takes out what is older than the user keeps, and gives the room back to the disk.
// That cannot be undone.
func (j *Journal) Prune(ctx context.Context, k past.Keep) (p past.Pruned, err error) {
	j.Flush()
	p, err = j.prune(ctx, k)
	if err == nil && k.Age > 0 { // a manual prune trusts the clock
		err = j.tx("prune", false, func(w *writer) error { return w.do("DELETE FROM meta WHERE key = ?", metaDoubt) })
	}
	if err == nil && p.Revisions > 0 {
		err = j.Compact()
	}
	return p, err
}

func (j *Journal) prune(ctx context.Context, k past.Keep) (p past.Pruned, err error) {
	err = j.tx("prune", true, func(w *writer) error {
		var before int64
		if _, err := w.row(storedBytes, nil, &before); err != nil {
			return err
		}
		if k.Age > 0 {
			var rev int64
			if _, err := w.row("SELECT coalesce(max(rev), 0) FROM revision WHERE time < ?",
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
			if err := w.blobs.rebase(); err != nil {
				return err
			}
		}
		if _, err := w.row(storedBytes, nil, &p.Bytes); err != nil {
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
	if err := w.do(`UPDATE blob SET codec = 0, data = NULL, base = NULL, spent = NULL, why = ? WHERE length(data) > ? AND `+pastOnly+`
		AND NOT EXISTS (SELECT 1 FROM blob d WHERE d.base = blob.id)`, whyTooBig, max(most, boundStep)); err != nil {
		return err
	}
	for ctx.Err() == nil {
		var size, rev, left int64
		if _, err := w.row(pastBytes, nil, &size); err != nil {
			return err
		}
		if _, err := w.row("SELECT count(*) FROM revision WHERE pinned = 0", nil, &left); err != nil {
			return err
		}
		if size <= most || left == 0 {
			return nil
		}
		if _, err := w.row("SELECT rev FROM revision WHERE pinned = 0 ORDER BY rev LIMIT 1 OFFSET ?", []any{left / 10}, &rev); err != nil {
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
	r, err := w.exec("DELETE FROM revision WHERE rev <= ? AND pinned = 0", rev)
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
		if err := w.do(statement, rev); err != nil {
			return err
		}
	}
	if err := w.blobs.dropBlobs(); err != nil {
		return err
	}
	return w.set("cut", rev)
}

// Compact writes the database anew without free pages, and empties the log: after it nothing that
// was taken out is left in its files. ErrBusy where another process reads an older state just now.
func (j *Journal) Compact() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.write == nil {
		return &past.Error{Op: "compact", Err: past.ErrReadOnly}
	}
	if err := j.write.truncateLog(); err != nil {
		return err
	}
	if err := j.write.do("VACUUM"); err != nil {
		return failed("compact", err)
	}
	return j.write.truncateLog()
}

// Size is what the journal takes on disk, in bytes, and how many revisions and contents it has.
func (a *archive) Size(ctx context.Context) (bytes int64, revisions, contents int, err error) {
	db, err := a.reader()
	if err != nil {
		return 0, 0, 0, err
	}
	err = db.QueryRowContext(ctx, `SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size),
		(SELECT count(*) FROM revision), (SELECT count(*) FROM blob)`).Scan(&bytes, &revisions, &contents)
	return bytes, revisions, contents, failed("size", err)
}
