package journal

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memcurator/memstore/journal/database"
	"memcurator/memstore/past"
)

// Remedy is a verified copy from which a damaged journal can be repaired.
type Remedy struct {
	Copy backupCopy
	Last int64 // the newest revision in it
}

// FindRemedy finds the newest copy in a state folder that can be read to the end. ok is false if there is none.
func FindRemedy(ctx context.Context, dir string) (r Remedy, ok bool) {
	for _, c := range listCopies(dir) {
		file := filepath.Join(dir, c.Name)
		if verifyCopy(ctx, file) != nil {
			continue
		}
		if last, err := lastOf(ctx, file); err == nil {
			return Remedy{Copy: c, Last: last}, true
		}
	}
	return r, false
}

// lastOf is the newest revision in a database that no process has open.
func lastOf(ctx context.Context, file string) (last int64, err error) {
	db, err := database.OpenReaders(file, true)
	if err != nil {
		return 0, err
	}
	err = db.QueryRowContext(ctx, "SELECT coalesce(max(rev), 0) FROM revision").Scan(&last)
	return last, errors.Join(err, db.Close())
}

// Repair sets the damaged journal in a state folder aside and puts a copy of the remedy in its place. The journal must not be open in this
// process; ErrBusy where another process has it open. The next start records how the files differ. After a kill at any moment the next call
// completes the repair.
func Repair(ctx context.Context, dir string, r Remedy) (aside string, err error) {
	source, file := filepath.Join(dir, r.Copy.Name), filepath.Join(dir, fileName)
	if IsOpen(dir) || database.IsOpenElsewhere(file) {
		return "", &past.Error{Op: "repair", Err: past.ErrBusy}
	}
	draft := draftPath(dir, "repair")
	if err := errors.Join(removeDatabase(draft), duplicate(source, draft)); err != nil {
		return "", failed("repair", errors.Join(err, removeDatabase(draft)))
	}
	if aside, err = moveAside(dir); err != nil {
		return "", errors.Join(err, removeDatabase(draft))
	}
	return aside, failed("repair", os.Rename(draft, file))
}

// removeDatabase removes a database that no process has open, if it is there.
func removeDatabase(file string) (err error) {
	for _, end := range []string{"-wal", "-shm", ""} {
		if e := os.Remove(file + end); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// duplicate copies a file and flushes it.
func duplicate(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it is only read
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// SetAside puts the journal in a state folder, which is damaged and not open in this process, aside and returns its new name,
// so that a new one can begin; "" where nothing was left of it. ErrBusy where another process has it open.
func SetAside(dir string) (aside string, err error) {
	if aside, err = moveAside(dir); err != nil {
		return "", err
	}
	_, err = removeCopies(dir) // of a journal that is the user's no more
	return aside, failed("set aside", err)
}

// moveAside renames the files of a damaged journal; aside is "" where there was no database among them.
func moveAside(dir string) (aside string, err error) {
	file := filepath.Join(dir, fileName)
	if IsOpen(dir) || database.IsOpenElsewhere(file) {
		return "", &past.Error{Op: "set aside", Err: past.ErrBusy}
	}
	name := file + asideMark + time.Now().Format("20060102-150405")
	for _, end := range []string{database.LogSuffix, "-shm", ""} { // the log goes first: beside another database it would not be read as a log
		err := os.Rename(file+end, name+end)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", failed("set aside", err)
		}
		if err == nil && end == "" {
			aside = name
		}
	}
	return aside, nil
}
