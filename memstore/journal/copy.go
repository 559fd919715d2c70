package journal

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// The verified copy of a journal in its state folder, and one that is not verified yet.
const (
	copyName  = fileName + ".copy"
	draftName = fileName + ".copying"
)

// copyEvery is how old the copy may get while the journal is in use. A draft that is older than draftStale is of a process that died.
const (
	copyEvery  = 24 * time.Hour
	draftStale = time.Hour
)

// RemoveCopies removes the copy of the journal in a state folder, which may still hold what a purge removed; it reports whether there was
// one.
func RemoveCopies(dir string) (removed bool, err error) {
	for _, name := range []string{copyName, draftName} {
		e := os.Remove(filepath.Join(dir, name))
		removed = removed || e == nil
		if e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return removed, failed(err)
}

// keepCopy makes a copy where the last one is older than a day of use, or than a purge.
func (j *Journal) keepCopy(ctx context.Context) error {
	if !j.Lasts() {
		return nil
	}
	dir := filepath.Dir(j.path)
	var purged sql.NullInt64
	if err := j.db.QueryRowContext(ctx, "SELECT (SELECT value FROM meta WHERE key = ?)", metaPurged).Scan(&purged); err != nil {
		return j.failed(err)
	}
	if info, err := os.Stat(filepath.Join(dir, copyName)); err == nil {
		age := j.options.Now().Sub(info.ModTime())
		if info.ModTime().After(timeOf(purged)) && age >= 0 && age < copyEvery {
			return nil
		}
	}
	if last, err := j.Last(ctx); err != nil || last == 0 {
		return err // a copy of an empty journal would count as today's
	}
	return j.Copy(ctx)
}

// Copy makes a copy of the journal, verifies it, and replaces the one before. Edits continue meanwhile. Damage that is found makes the
// journal unhealthy. Where another process is at it, nothing is done.
func (j *Journal) Copy(ctx context.Context) error {
	if !j.Lasts() {
		return nil
	}
	dir := filepath.Dir(j.path)
	draft := filepath.Join(dir, draftName)
	if info, err := os.Lstat(draft); err == nil && time.Since(info.ModTime()) > draftStale {
		_ = os.Remove(draft) // if it stays, there is no copy
	}
	f, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil {
		err = f.Close()
	}
	began := j.options.Now()
	if err == nil {
		err = copyTo(ctx, j.path, draft)
	}
	if err == nil {
		_, err = verifyCopy(ctx, draft)
	}
	if err == nil {
		err = os.Chtimes(draft, began, began)
	}
	if err == nil {
		err = os.Rename(draft, filepath.Join(dir, copyName))
	}
	if err != nil {
		_ = os.Remove(draft) // the next one tries again
		return j.failed(cmp.Or(ctx.Err(), err))
	}
	return nil
}

// copyTo copies a database, as it is at one moment, to an empty file.
func copyTo(ctx context.Context, path, draft string) error {
	db, err := connect(path, "", 1)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", draft)
	return errors.Join(err, db.Close())
}

// verifyCopy reads a whole database that no process has open, and returns its newest revision.
func verifyCopy(ctx context.Context, file string) (last int64, err error) {
	db, err := openReaders(file, true)
	if err != nil {
		return 0, err
	}
	list, err := damageIn(ctx, db)
	if err == nil && len(list) > 0 {
		err = &past.Error{Err: past.ErrCorrupt, Cause: errors.New(list[0])}
	}
	if err == nil {
		err = db.QueryRowContext(ctx, "SELECT coalesce(max(rev), 0) FROM revision").Scan(&last)
	}
	return last, errors.Join(err, db.Close())
}

// damageIn runs SQLite's check, and finds out whether a content no longer has its digest: sentences about it.
func damageIn(ctx context.Context, db *sql.DB) ([]string, error) {
	list, err := column[string](db.QueryContext(ctx, "PRAGMA integrity_check"))
	if errors.Is(failed(err), past.ErrCorrupt) {
		return []string{"the database cannot be read to its end"}, nil
	}
	list = slices.DeleteFunc(list, func(s string) bool { return s == "ok" })
	if err != nil || len(list) > 0 {
		return list, err
	}
	err = eachContent(ctx, db, func(int64, memstore.Digest, []byte) bool { return ctx.Err() == nil })
	if errors.Is(err, past.ErrCorrupt) {
		return []string{"a stored version does not have its bytes"}, nil
	}
	return nil, cmp.Or(err, ctx.Err())
}

// Copy is a verified copy of a journal.
type Copy struct {
	Time time.Time
	Last int64 // its newest revision
}

// LastCopy returns the copy in a state folder from which a damaged journal can be repaired; ok is false if there is none that can be read
// to the end.
func LastCopy(ctx context.Context, dir string) (c Copy, ok bool) {
	file := filepath.Join(dir, copyName)
	info, err := os.Stat(file)
	if err != nil {
		return c, false
	}
	c.Time = info.ModTime()
	c.Last, err = verifyCopy(ctx, file)
	return c, err == nil
}

// Repair sets the damaged journal in a state folder aside, and puts its copy in its place; without one, the next start begins a new
// journal. It returns the new name of the damaged one, "" where nothing was left of it. The journal must not be open in this process;
// ErrBusy where another process has it open. The next start records how the files differ. After a kill at any moment the next call
// completes the repair.
func Repair(dir string, fromCopy bool) (aside string, err error) {
	file := filepath.Join(dir, fileName)
	if IsOpen(dir) || isOpenElsewhere(file) {
		return "", &past.Error{Err: past.ErrBusy}
	}
	name := file + asideMark + time.Now().Format("20060102-150405")
	for _, end := range []string{logSuffix, "-shm", ""} { // the log goes first: beside another database it would not be read as a log
		err := os.Rename(file+end, name+end)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", failed(err)
		}
		if err == nil && end == "" {
			aside = name
		}
	}
	if fromCopy {
		err = os.Rename(filepath.Join(dir, copyName), file)
	}
	return aside, failed(err)
}
