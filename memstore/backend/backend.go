// Package backend defines what holds the bytes of a store: the interface [Backend], what one may offer beyond it, the
// paths of agents and the names that backends take, and snapshots of a tree.
//
// Package memstore runs the commands of the tool on any backend. The backends are the packages below
// this one: dir (a directory of the file system), mem (memory) and age (an encrypted directory). A new one is a package
// that imports only this one and is named in one place, where stores are opened. Nothing here touches a disk.
package backend

import (
	"context"
	"io"
	"io/fs"
	"time"
)

// Kind tells what a path is.
type Kind uint8

// The kinds of path. KindOther is everything that is neither a regular file,
// a directory nor a link: a FIFO, a socket, a device. It is shown, never opened.
const (
	KindFile Kind = iota + 1
	KindDir
	KindLink
	KindOther
)

// FileID identifies a file across renames where the backend can tell
// (device and inode on Unix). The zero FileID means "not known".
type FileID struct{ Device, Inode uint64 }

// Info describes one path. It is a value: backends hand out copies.
type Info struct {
	Name    string // base name, as stored; may be any bytes that the file system allows
	Kind    Kind
	Size    int64 // bytes; of a directory what the file system says of it
	Mode    fs.FileMode
	ModTime time.Time
	ID      FileID
}

// Access says on whose behalf a file is read.
type Access uint8

const (
	// Use is a read by the agent: it counts as use, access times may move.
	Use Access = iota
	// Look is a read by a person or a job of ours: it leaves no trace where the
	// platform allows that (O_NOATIME on Linux for files of the same owner).
	Look
)

// File is an open regular file. It must be safe for concurrent ReadAt.
type File interface {
	io.ReaderAt
	io.Closer
	// Info describes the open file itself (fstat), not its path.
	Info() (Info, error)
}

// LockPatience is how long the lock of another process is waited for, whatever the
// context says. Our writes hold it for milliseconds, the removal of a big folder for
// seconds: who holds it longer is stuck, and an agent that is told so can go on.
const LockPatience = 30 * time.Second

// Backend holds the bytes of one store. The handlers, the viewer, the index and
// the watcher all go through it, so that a directory, memory, an encrypted
// folder or a database look the same to them.
//
// Names are slash-separated and relative to the store's root, "." is the root
// itself; they come out of [ParsePath] and so hold no "..", no empty and no "."
// segment. Errors wrap the sentinels of this package ([ErrNotExist],
// [ErrExist], [ErrEscapes], [ErrNotRegular], [ErrPermission], [ErrNoSpace], [ErrNameTooLong],
// [ErrNotDir], [ErrInside], [ErrChanged], [ErrUnavailable], [ErrLinkLoop]); a host path inside them is never shown to the
// agent. Implementations are safe for concurrent use; the writes are called with the
// lock held.
type Backend interface {
	// Stat describes name, following links that stay inside the store.
	// A link that leads out is ErrEscapes, a dangling one ErrNotExist.
	Stat(name string) (Info, error)
	// Lstat describes name itself and follows no link in the last segment.
	Lstat(name string) (Info, error)
	// ReadDir lists a directory, sorted by name in code point order. Entries are
	// described as Lstat does. An entry that vanished meanwhile is left out. The slice is the caller's.
	ReadDir(name string) ([]Info, error)
	// Readlink returns the text of the link at name.
	Readlink(name string) (string, error)
	// Open opens a regular file; anything else is ErrNotRegular (a directory too), without
	// blocking on a FIFO and without opening a device.
	Open(name string, a Access) (File, error)

	// Create makes a new file with the bytes of data and the missing parents
	// (files 0600, directories 0700 whatever the umask). It never replaces:
	// ErrExist. When it returns nil the file and its name are durable; when it
	// fails nothing is left behind, neither the file nor parents made for it.
	Create(name string, data []byte) error
	// Replace puts data in the place of the regular file at name (through
	// inside links: the target is written, the link stays) whole or not at
	// all, and keeps the mode. Just before the switch the bytes on disk are compared with
	// old; where they differ nothing is written and the error is ErrChanged.
	Replace(name string, old, data []byte) error
	// Remove deletes a file, a link (never its target) or a directory with
	// everything below it.
	Remove(name string) error
	// Rename moves a file, link or directory; missing parents of newname are
	// made. It never replaces: ErrExist.
	Rename(oldname, newname string) error

	// Lock waits for the turn of the caller among all our own writers, in this process and
	// in others, until ctx ends. The returned func gives the turn back.
	Lock(ctx context.Context) (unlock func(), err error)
	// Close frees what the backend holds. Calls after it fail with ErrUnavailable.
	Close() error
}
