package journal

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite"

	"memcurator/memstore/past"
)

// copyMark follows fileName in the names of verified copies; the number of purges that the journal had been through, and the
// time in seconds since 1970, follow it. copyingMark is in the names of those that are not verified yet.
const (
	copyMark    = ".copy-"
	copyingMark = ".copying-"
)

// copyEvery is how old the newest copy may get while the journal is in use.
const copyEvery = 24 * time.Hour

// Copy is a verified copy of a journal in its state folder.
type Copy struct {
	Name   string // of the file
	Time   time.Time
	Purges int64 // that the journal had been through: the copy still holds what a later one purged
}

// CopiesIn lists the verified copies in a state folder, the newest first.
func CopiesIn(dir string) (list []Copy) {
	entries, _ := os.ReadDir(dir) // a folder that cannot be read says so where it matters
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), fileName+copyMark)
		purges, at, found := strings.Cut(rest, "-")
		n, err := strconv.ParseInt(purges, 10, 64)
		seconds, errTime := strconv.ParseInt(at, 10, 64)
		if ok && found && err == nil && errTime == nil {
			list = append(list, Copy{e.Name(), time.Unix(seconds, 0), n})
		}
	}
	slices.SortFunc(list, func(a, b Copy) int { return b.Time.Compare(a.Time) })
	return list
}

// IsCopy reports whether a file of the state folder is a copy of the journal, verified or not.
func IsCopy(name string) bool {
	return strings.HasPrefix(name, fileName+copyMark) || strings.HasPrefix(name, fileName+copyingMark)
}

// RemoveCopies removes all copies of the journal in a state folder, which still hold what a purge removed, and returns their names.
func RemoveCopies(dir string) (removed []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !IsCopy(e.Name()) {
			continue
		}
		if e := os.Remove(filepath.Join(dir, e.Name())); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
			continue
		}
		removed = append(removed, e.Name())
	}
	return removed, err
}

// RemoveCopies removes the copies of the journal.
func (j *Journal) RemoveCopies() ([]string, error) {
	if !j.Lasts() {
		return nil, nil
	}
	return RemoveCopies(filepath.Dir(j.path))
}

// KeepCopies maintains the copies in the background while the journal is in use. With daily it makes one where the newest is older
// than a day; otherwise it removes those from before a purge, and those that a purge does not need any more.
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
	for _, c := range CopiesIn(filepath.Dir(j.path)) {
		if c.Purges < purges || j.options.Now().Sub(c.Time).Abs() > copyEvery {
			err = errors.Join(err, os.Remove(filepath.Join(filepath.Dir(j.path), c.Name)))
		}
	}
	return failed("copy", err)
}

// ErrNoRoom means that no copy was made, because less than twice the size of the journal is free on the disk.
var ErrNoRoom = errors.New("there is not enough space for a copy")

// CopyDaily makes a verified copy where the newest one is older than a day of use.
func (j *Journal) CopyDaily(ctx context.Context) error {
	if !j.Lasts() {
		return nil
	}
	purges, err := j.Purges(ctx)
	if err != nil {
		return err
	}
	for _, c := range CopiesIn(filepath.Dir(j.path)) {
		if age := j.options.Now().Sub(c.Time); c.Purges == purges && age >= 0 && age < copyEvery {
			return nil
		}
	}
	if span, err := j.Span(ctx); err != nil || span.Newest.IsZero() {
		return err // a copy of an empty journal would pass for the one of the day
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
	if room, known := freeSpace(dir); known && room < 2*size {
		return &past.Error{Op: "copy", Err: ErrNoRoom}
	}
	purges, err := j.Purges(ctx)
	if err != nil {
		return err
	}
	j.Flush()
	db, err := j.readerNow()
	if err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return failed("copy", err)
	}
	defer func() { _ = conn.Close() }() // it goes back to the pool
	err = keepCopy(ctx, conn, dir, purges, j.options.Now())
	if err != nil && ctx.Err() == nil {
		j.health.suspect()
	}
	return failed("copy", err)
}

// keepCopy makes a copy through a connection, verifies it and removes those before it.
func keepCopy(ctx context.Context, conn *sql.Conn, dir string, purges int64, now time.Time) error {
	before := CopiesIn(dir)
	sweepDrafts(dir)
	draft := filepath.Join(dir, fmt.Sprintf("%s%s%d-%s", fileName, copyingMark, os.Getpid(), rand.Text()))
	err := copyTo(ctx, conn, draft)
	if err == nil {
		err = verify(ctx, draft)
	}
	name := fmt.Sprintf("%s%s%d-%d", fileName, copyMark, purges, now.Unix())
	if err == nil {
		err = os.Rename(draft, filepath.Join(dir, name))
	}
	if err != nil {
		_ = os.Remove(draft) // the next one tries again
		return err
	}
	for _, c := range before {
		if c.Name != name {
			err = errors.Join(err, os.Remove(filepath.Join(dir, c.Name)))
		}
	}
	return err
}

// draftStale is older than any copy that is being made still.
const draftStale = time.Hour

// sweepDrafts removes what processes that were killed have left of copies.
func sweepDrafts(dir string) {
	drafts, _ := filepath.Glob(filepath.Join(dir, fileName+copyingMark+"*")) // the pattern is fixed but for the folder
	for _, draft := range drafts {
		if info, err := os.Lstat(draft); err == nil && time.Since(info.ModTime()) > draftStale {
			_ = os.Remove(draft) // the next copy tries it again
		}
	}
}

// copyBefore makes a copy of the journal in case a migration spoils it. A damaged journal is not migrated. Where there is no room,
// the migration, which only adds, proceeds without a copy.
func (w *writer) copyBefore() error {
	dir, ctx := filepath.Dir(w.path), context.Background()
	var size, purges int64
	if _, err := w.row(`SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size),
		coalesce((SELECT value FROM meta WHERE key = ?), 0)`, []any{metaPurges}, &size, &purges); err != nil {
		return err
	}
	if room, known := freeSpace(dir); known && room < 2*size {
		return nil
	}
	if err := keepCopy(ctx, w.conn, dir, purges, time.Now()); sentinelOf(err) == past.ErrCorrupt {
		return err
	}
	return nil
}

// copyPages is how many pages are copied between two checks of the context.
const copyPages = 1024

// copyTo copies all pages, as they are at one moment, with the backup of SQLite.
func copyTo(ctx context.Context, conn *sql.Conn, file string) error {
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it only reads
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM meta").Scan(new(int)); err != nil {
		return err // from here on the transaction sees one moment
	}
	return conn.Raw(func(driver any) error {
		source, ok := driver.(interface {
			NewBackup(string) (*sqlite.Backup, error)
		})
		if !ok {
			return errors.New("the driver makes no backups")
		}
		b, err := source.NewBackup(fileURI(file))
		if err != nil {
			return err
		}
		err = ownerOnly(file)
		for more := true; more && err == nil; {
			if err = ctx.Err(); err == nil {
				more, err = b.Step(copyPages)
			}
		}
		return errors.Join(err, b.Finish())
	})
}

// verify reads a whole database that no process has open. An older schema stores contents in another way, so they are not compared
// with their digests.
func verify(ctx context.Context, file string) error {
	db, err := openReaders(file, true)
	if err != nil {
		return err
	}
	check := damage
	if version, err := versionOf(db); err == nil && version < schemaVersion {
		check = damagedPages
	}
	list, err := check(ctx, db)
	if err == nil && len(list) > 0 {
		err = &past.Error{Op: "verify", Err: past.ErrCorrupt, Cause: errors.New(list[0])}
	}
	return errors.Join(err, db.Close())
}
