package memstore

import (
	"errors"
	"fmt"
	"io/fs"
)

// The sentinels of the package, for errors.Is. Backends wrap them; handlers
// turn them into the sentences of the dialect, so none of these texts reaches an agent.
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
	ErrNotText     = errors.New("not UTF-8 text")
	ErrTooBig      = errors.New("too big to be edited")
	ErrTooLong     = errors.New("more than 999,999 lines")
	ErrNameTooLong = errors.New("name too long")
	ErrReserved    = errors.New("a name kept for files of ours")
	ErrNoSpace     = errors.New("no space left on the device")
	ErrChanged     = errors.New("changed by another program meanwhile")
	ErrUnavailable = errors.New("the memory directory is not available")
	ErrDamaged     = errors.New("damaged, or put there by somebody without the key")
	ErrReadOnly    = errors.New("the store is open for reading only")
	ErrNotRecorded = errors.New("the edit could not be recorded first")
	ErrBusy        = errors.New("another writer holds the store")
	ErrInput       = errors.New("the input does not fit the tool's schema")
	ErrRefused     = errors.New("refused by a guard")
	ErrNoMatch     = errors.New("old_str not found or not unique")
	ErrRange       = errors.New("line or range outside the file")
	ErrRoot        = errors.New("the memory directory itself cannot be deleted or renamed")
	ErrMounted     = errors.New("another file system is mounted there")
	ErrNoDialect   = errors.New("no such dialect")
)

// IsAbsent reports whether err means that nothing is at a path, also because something above it is no folder any more, or a
// link that leads nowhere.
func IsAbsent(err error) bool {
	return errors.Is(err, ErrNotExist) || errors.Is(err, ErrNotDir) || errors.Is(err, ErrLinkLoop) || errors.Is(err, ErrEscapes)
}

// errPathTooLong is a path too long for any command, or too deep for something new.
var errPathTooLong = fmt.Errorf("path too long: %w", ErrNameTooLong)

// Error is what a command failed with: the command's name, the agent path as
// the caller sent it, and a cause that errors.Is can test. Its text may hold
// host paths; what the agent is told is in [Result].Content.
type Error struct {
	Op   string
	Path string
	Err  error

	text string // what the agent is told
}

// Error is for logs and may hold host paths.
func (e *Error) Error() string { return e.Op + " " + e.Path + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// PathError is a path that [ParsePath] refuses. Err wraps
// [ErrPrefix], [ErrControl], [ErrEscapes] or [ErrNameTooLong].
type PathError struct {
	Path string // as sent
	Err  error
}

func (e *PathError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *PathError) Unwrap() error { return e.Err }

// LineLimitError is [ErrTooLong] with the number of lines, for dialects that tell it.
type LineLimitError struct{ Lines int }

func (e *LineLimitError) Error() string { return ErrTooLong.Error() }
func (e *LineLimitError) Unwrap() error { return ErrTooLong }

// SizeLimitError is [ErrTooBig] with the size of the file in bytes.
type SizeLimitError struct {
	Size int64
	New  bool // the file is not there, it would get that size
}

func (e *SizeLimitError) Error() string { return ErrTooBig.Error() }
func (e *SizeLimitError) Unwrap() error { return ErrTooBig }

// InputError is an input that does not fit the tool's schema. It is [ErrInput] for errors.Is.
type InputError struct {
	Field   string // "" where the input as a whole is wrong
	Message string // a sentence for the agent, without the leading "Error: "
}

func (e *InputError) Error() string { return e.Message }
func (e *InputError) Unwrap() error { return ErrInput }
