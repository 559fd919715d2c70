package database

import (
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"memcurator/memstore/past"
)

// sentinels by the primary result code of SQLite.
var sentinels = map[int]error{
	sqlite3.SQLITE_CORRUPT:  past.ErrCorrupt,
	sqlite3.SQLITE_NOTADB:   past.ErrCorrupt,
	sqlite3.SQLITE_FORMAT:   past.ErrCorrupt,
	sqlite3.SQLITE_READONLY: past.ErrReadOnly,
	sqlite3.SQLITE_PERM:     past.ErrReadOnly,
	sqlite3.SQLITE_CANTOPEN: past.ErrReadOnly,
	sqlite3.SQLITE_FULL:     past.ErrFull,
	sqlite3.SQLITE_IOERR:    past.ErrDevice,
	sqlite3.SQLITE_BUSY:     past.ErrBusy,
	sqlite3.SQLITE_LOCKED:   past.ErrBusy,
}

// Wrap wraps an error of the database or the system with its sentinel.
func Wrap(op string, err error) error {
	var known *past.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	var db *sqlite.Error
	if errors.As(err, &db) {
		sentinel := sentinels[db.Code()&0xff]
		if db.Code() == sqlite3.SQLITE_IOERR_SHMSIZE { // the file that processes share memory by cannot grow
			sentinel = past.ErrFull
		}
		if sentinel != nil {
			return &past.Error{Op: op, Err: sentinel, Cause: err}
		}
		return &past.Error{Op: op, Err: err}
	}
	return past.Failed(op, err)
}
