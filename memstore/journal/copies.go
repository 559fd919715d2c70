package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"memcurator/memstore/journal/backup"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// copyEvery is how old the newest copy may get while the journal is in use.
const copyEvery = 24 * time.Hour

// RemoveCopies removes the copies of the journal.
func (j *Journal) RemoveCopies() ([]string, error) {
	if !j.Lasts() {
		return nil, nil
	}
	return backup.Remove(filepath.Dir(j.path))
}

// HasCopies reports whether there is a verified copy of the journal.
func (j *Journal) HasCopies() bool { return j.Lasts() && len(backup.In(filepath.Dir(j.path))) > 0 }

// KeepCopies maintains the copies in the background while the journal is in use. With daily it makes one where the newest is older
// than a day; otherwise it removes those from before a purge, and those that a purge no longer needs.
func (j *Journal) KeepCopies(ctx context.Context, daily bool) error {
	if !j.Lasts() {
		return nil
	}
	if daily {
		return j.CopyDaily(ctx)
	}
	purges, err := j.Purges(ctx)
	if err != nil {
		return err
	}
	for _, c := range backup.In(filepath.Dir(j.path)) {
		if c.Purges < purges || j.options.Now().Sub(c.Time).Abs() > copyEvery {
			err = errors.Join(err, os.Remove(filepath.Join(filepath.Dir(j.path), c.Name)))
		}
	}
	return failed("copy", err)
}

// CopyDaily makes a verified copy where the newest one is older than a day of use.
func (j *Journal) CopyDaily(ctx context.Context) error {
	if !j.Lasts() {
		return nil
	}
	purges, err := j.Purges(ctx)
	if err != nil {
		return err
	}
	for _, c := range backup.In(filepath.Dir(j.path)) {
		if age := j.options.Now().Sub(c.Time); c.Purges == purges && age >= 0 && age < copyEvery {
			return nil
		}
	}
	if span, err := j.Span(ctx); err != nil || span.Newest.IsZero() {
		return err // a copy of an empty journal would count as today's
	}
	return j.Copy(ctx)
}

// Copy makes a copy of the journal in its state folder, verifies it, and removes older copies. Edits continue meanwhile. The error
// is [ErrNoRoom] where the disk has no room; damage that is found makes the journal unhealthy.
func (j *Journal) Copy(ctx context.Context) error {
	if !j.Lasts() {
		return nil
	}
	dir := filepath.Dir(j.path)
	size, _, _, err := j.Size(ctx)
	if err != nil {
		return err
	}
	if err := backup.RoomFor(dir, size); err != nil {
		return err
	}
	purges, err := j.Purges(ctx)
	if err != nil {
		return err
	}
	j.Flush()
	db, err := j.pool.ReaderNow()
	if err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return failed("copy", err)
	}
	defer func() { _ = conn.Close() }() // it goes back to the pool
	err = backup.Make(ctx, conn, dir, purges, schema.Current, j.options.Now())
	if err != nil && ctx.Err() == nil {
		j.health.suspect()
	}
	return failed("copy", err)
}

// copyBefore makes a copy of the journal in case a migration spoils it. A damaged journal is not migrated. Where the disk is full,
// the migration, which only adds, proceeds without a copy.
func (w *tableWriter) copyBefore() error {
	dir, ctx := filepath.Dir(w.Path), context.Background()
	var size, purges int64
	if _, err := w.Row(`SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size),
		coalesce((SELECT value FROM meta WHERE key = ?), 0)`, []any{schema.MetaPurges}, &size, &purges); err != nil {
		return err
	}
	if backup.RoomFor(dir, size) != nil {
		return nil
	}
	if err := backup.Make(ctx, w.Conn, dir, purges, schema.Current, time.Now()); sentinelOf(err) == past.ErrCorrupt {
		return err
	}
	return nil
}
