package backend

import (
	"errors"
	"fmt"
	"io/fs"
)

// Errors of backends, for errors.Is. The handlers translate them into the sentences of the dialect, so no agent reads these texts.
var (
	ErrNotExist    = fs.ErrNotExist
	ErrExist       = fs.ErrExist
	ErrPermission  = fs.ErrPermission
	ErrPrefix      = errors.New("path is not below " + Root)
	ErrControl     = errors.New("path holds control characters")
	ErrEscapes     = errors.New("path leads out of the store")
	ErrLinkLoop    = errors.New("too many levels of links")
	ErrNotDir      = errors.New("a parent is not a directory")
	ErrIsDir       = errors.New("is a directory")
	ErrInside      = errors.New("a directory cannot be moved into itself")
	ErrNotRegular  = errors.New("not a regular file")
	ErrNameTooLong = errors.New("name too long")
	ErrNoSpace     = errors.New("no space left on the device")
	ErrChanged     = errors.New("changed by another program meanwhile")
	ErrUnavailable = errors.New("the memory directory is not available")
	ErrDamaged     = errors.New("damaged, or written without the key")
	ErrBusy        = errors.New("another writer holds the store")
	ErrRoot        = errors.New("the memory directory itself cannot be deleted or renamed")
)

// Reasons for [ErrPermission] in a store of some files of a folder (package files). They are wrapped together with it.
var (
	ErrFixed     = errors.New("this file of the store is read-only")
	ErrNotLoaded = errors.New("the agent loads no file of that name")
)

// Refusal is why a store doesn't take an edit, in a sentence without a full stop that people and agents read: it names no path of the
// machine. It is [ErrPermission], and with Fixed also [ErrFixed]: no edit of that file is possible.
type Refusal struct {
	Why   string
	Fixed bool
}

func (r *Refusal) Error() string { return r.Why }

func (r *Refusal) Unwrap() []error {
	if r.Fixed {
		return []error{ErrPermission, ErrFixed}
	}
	return []error{ErrPermission}
}

// IsAbsent reports whether err means that nothing is at a path, including when something above it is no longer a folder, or is a dangling
// link.
func IsAbsent(err error) bool {
	return errors.Is(err, ErrNotExist) || errors.Is(err, ErrNotDir) || errors.Is(err, ErrLinkLoop) || errors.Is(err, ErrEscapes)
}

// ErrPathTooLong means that a path is too long for any command, or too deep for a new entry.
var ErrPathTooLong = fmt.Errorf("path too long: %w", ErrNameTooLong)

// PathError is a path that [ParsePath] refuses. Err wraps [ErrPrefix],
// [ErrControl], [ErrEscapes] or [ErrNameTooLong].
type PathError struct {
	Path string // as sent
	Err  error
}

func (e *PathError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *PathError) Unwrap() error { return e.Err }
