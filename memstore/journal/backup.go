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

	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/sidecar"
	"memcurator/memstore/past"
)

// copyMark follows the name of the database in the names of verified copies; the number of purges that the journal had been
// through, and the time in seconds since 1970, follow it. copyingMark is in the names of those that are not verified yet.
const (
	copyMark    = ".copy-"
	copyingMark = ".copying-"
)

// backupCopy is a verified copy of a journal in its state folder.
type backupCopy struct {
	Name   string // of the file
	Time   time.Time
	Purges int64 // that the journal had been through: the copy still holds what a later one purged
}

// listCopies lists the verified copies in a state folder, the newest first.
func listCopies(dir string) (list []backupCopy) {
	entries, _ := os.ReadDir(dir) // a folder that cannot be read says so where it matters
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), sidecar.Database+copyMark)
		purges, at, found := strings.Cut(rest, "-")
		n, err := strconv.ParseInt(purges, 10, 64)
		seconds, errTime := strconv.ParseInt(at, 10, 64)
		if ok && found && err == nil && errTime == nil {
			list = append(list, backupCopy{e.Name(), time.Unix(seconds, 0), n})
		}
	}
	slices.SortFunc(list, func(a, b backupCopy) int { return b.Time.Compare(a.Time) })
	return list
}

// isCopy reports whether a file of the state folder is a copy of the journal, verified or not.
func isCopy(name string) bool {
	return strings.HasPrefix(name, sidecar.Database+copyMark) || strings.HasPrefix(name, sidecar.Database+copyingMark)
}

// removeCopies removes all copies of the journal in a state folder, which still hold what a purge removed, and returns their names.
func removeCopies(dir string) (removed []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !isCopy(e.Name()) {
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

// errNoRoom means that no copy was made, because less than twice the size of the journal is free on the disk.
var errNoRoom = errors.New("not enough space for a copy")

// roomFor fails with [errNoRoom] unless twice this many bytes are free beside a copy.
func roomFor(dir string, size int64) error {
	if room, known := freeSpace(dir); known && room < 2*size {
		return &past.Error{Op: "copy", Err: errNoRoom}
	}
	return nil
}

// draftPath is where a copy is made that is not verified yet.
func draftPath(dir, name string) string { return filepath.Join(dir, sidecar.Database+copyingMark+name) }

// makeCopy makes a copy through a connection, verifies it and removes those before it.
func makeCopy(ctx context.Context, conn *sql.Conn, dir string, purges int64, now time.Time) error {
	before := listCopies(dir)
	sweepDrafts(dir)
	draft := draftPath(dir, fmt.Sprintf("%d-%s", os.Getpid(), rand.Text()))
	err := database.CopyTo(ctx, conn, draft)
	if err == nil {
		err = verifyCopy(ctx, draft)
	}
	name := fmt.Sprintf("%s%s%d-%d", sidecar.Database, copyMark, purges, now.Unix())
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
	drafts, _ := filepath.Glob(filepath.Join(dir, sidecar.Database+copyingMark+"*")) // the pattern is fixed except for the folder
	for _, draft := range drafts {
		if info, err := os.Lstat(draft); err == nil && time.Since(info.ModTime()) > draftStale {
			_ = os.Remove(draft) // the next copy tries it again
		}
	}
}

// verifyCopy reads a whole database that no process has open.
func verifyCopy(ctx context.Context, file string) error {
	db, err := database.OpenReaders(file, true)
	if err != nil {
		return err
	}
	list, err := damageIn(ctx, db)
	if err == nil && len(list) > 0 {
		err = &past.Error{Op: "verify", Err: past.ErrCorrupt, Cause: errors.New(list[0])}
	}
	return errors.Join(err, db.Close())
}

// damageIn runs SQLite's check, and finds contents that no longer have their digest.
func damageIn(ctx context.Context, db *sql.DB) ([]string, error) {
	list, err := database.Damage(ctx, db)
	if err != nil || len(list) > 0 {
		return list, err
	}
	return content.Damage(ctx, db)
}
