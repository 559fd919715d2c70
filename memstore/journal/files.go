package journal

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/sidecar"
	"memcurator/memstore/past"
)

// The files of the database in the state folder of its store; those beside it are in package sidecar. No other package knows
// their names.
const (
	fileName  = sidecar.Database
	asideMark = ".damaged-" // follows fileName in the names of journals that were put aside as damaged
)

// Path returns the database of the journal in the state folder dir, to name it and to ask for it by its name; see [Owns].
func Path(dir string) string { return filepath.Join(dir, fileName) }

// Owns reports whether the file name in the state folder of a store is one that SQLite has open while a
// Journal is: the database, its write-ahead log, or the index of that. No code but SQLite may open one of them by its name
// meanwhile: closing any descriptor of a file drops all locks of the process on it, and the next process to come then
// mistakes the journal for one that is not open anywhere. [Journal.Image] reads their bytes.
func Owns(name string) bool {
	end, ok := strings.CutPrefix(name, fileName)
	switch end {
	case "", database.LogSuffix, "-shm", "-journal":
		return ok
	}
	return false
}

// InUse reports whether the file name in a state folder belongs to the journal that is in use.
func InUse(name string) bool { return Owns(name) || sidecar.IsEndings(name) }

// IsAside reports whether the file name in a state folder is part of a journal that was put aside as damaged.
func IsAside(name string) bool { return strings.HasPrefix(name, fileName+asideMark) }

// IsCounted reports whether the file name in a state folder holds nothing but counts and hashes, or is emptied by a purge: the
// proof that there was a journal, and the reserve.
func IsCounted(name string) bool { return sidecar.IsCounted(name) }

// Image lets read see the bytes of the database as one file, free pages included. The write-ahead log is
// written back and emptied before, so that nothing older than these bytes is left in it; the index of the log holds no
// texts. Nothing that others record meanwhile comes into the image. ErrBusy where others read an older state for
// too long, ErrReadOnly where the journal is opened for looking.
func (j *Journal) Image(ctx context.Context, read func(r io.ReaderAt, size int64) error) error {
	j.Flush()
	if err := patiently(ctx, j.emptyLog); err != nil {
		return err
	}
	db, err := j.pool.ReaderNow()
	if err != nil {
		return err
	}
	err = database.ReadImage(ctx, db, read)
	if errors.Is(err, past.ErrCorrupt) {
		j.health.suspect()
	}
	return err
}

// emptyLog writes the log back and empties it; ErrBusy where another connection reads an older state.
func (j *Journal) emptyLog() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.write == nil {
		return &past.Error{Op: "read", Err: past.ErrReadOnly}
	}
	return failed("checkpoint", j.write.TruncateLog())
}
