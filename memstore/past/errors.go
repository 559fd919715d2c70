package past

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"memcurator/memstore"
)

// The errors of a record, for errors.Is. Their texts are the end of a sentence ("The journal cannot be opened: it is
// damaged"); none holds a path.
var (
	ErrCorrupt  = errors.New("the journal is damaged")
	ErrReadOnly = errors.New("the journal is read-only")
	ErrBusy     = errors.New("another process is using the journal")
	ErrClosed   = errors.New("the journal is closed")
	ErrDevice   = errors.New("the disk reports an error")

	ErrNoRevision = errors.New("no such revision")
	ErrNotKept    = errors.New("the journal did not keep the content")
	ErrNothing    = errors.New("nothing to undo")
	ErrNotThere   = errors.New("nothing existed there")
	ErrPurged     = errors.New("a purge has rewritten the journal since")
	ErrConflict   = errors.New("later edits are on the same lines")
)

// Error is what a call fails with: the sentinel for it, and the error of the system or the database, which
// may contain host paths.
type Error struct {
	Err   error // a sentinel, or Cause again where none fits
	Cause error // nil: Err says all
}

// Error is the text of the sentinel; the cause is for logs.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns both, so that errors.Is finds either.
func (e *Error) Unwrap() []error { return []error{e.Err, e.Cause} }

// NoRevisionText is the message about a revision that the record does not have.
func NoRevisionText(rev, newest int64) string {
	return fmt.Sprintf("No revision #%d; the newest is #%d", rev, newest)
}

// Failed makes an error of the system an [Error] with its sentinel. What is one already, and nil, stays as it is.
func Failed(err error) error {
	var known *Error
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &Error{Err: memstore.ErrNoSpace, Cause: err}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return &Error{Err: ErrReadOnly, Cause: err}
	}
	return &Error{Err: err}
}
