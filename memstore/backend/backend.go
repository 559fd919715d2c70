// Package backend defines the storage of a store's bytes: the interface [Backend], its optional extensions, the paths of agents and the
// names that backends take, and snapshots of a tree.
//
// Package memstore runs the commands of the tool on any backend. The implementations are the packages below this one: dir (a directory of
// the file system), mem (memory) and age (an encrypted directory). A new one is a package that imports only this one and is named in one
// place, where stores are opened. Nothing here touches a disk.
package backend

import (
	"context"
	"io"
	"io/fs"
	"time"
)

// Kind is the type of a path.
type Kind uint8

// Kinds of paths. KindOther is everything that is neither a regular file, a
// directory nor a link: a FIFO, a socket, a device. It is listed but never
// opened.
const (
	KindFile Kind = iota + 1
	KindDir
	KindLink
	KindOther
)

// FileID identifies a file across renames if the backend can do so (device
// and inode on Unix). The zero FileID means unknown.
type FileID struct{ Device, Inode uint64 }

// Info describes one path. It is a value; backends return copies.
type Info struct {
	Name    string // base name as stored; may be any bytes that the file system allows
	Kind    Kind
	Size    int64 // bytes; for a directory, as reported by the file system
	Mode    fs.FileMode
	ModTime time.Time
	ID      FileID
}

// Access identifies on whose behalf a file is read.
type Access uint8

const (
	// Use is a read by the agent: it counts as use and may update access times.
	Use Access = iota
	// Look is a read by a person or a background job: it leaves no trace if the
	// platform allows (O_NOATIME on Linux for files of the same owner).
	Look
)

// File is an open regular file. Concurrent calls of ReadAt must be safe.
type File interface {
	io.ReaderAt
	io.Closer
	// Info describes the open file itself (fstat), not its path.
	Info() (Info, error)
}

// LockPatience is how long to wait for another process's lock, whatever the context says. Our writes hold it for milliseconds, the
// removal of a large folder for seconds: a process that holds it longer is stuck, and an agent that learns this can continue.
const LockPatience = 30 * time.Second

// Backend stores the bytes of one store. The handlers, the viewer, the index and the watcher all use it, so that a directory, memory, an
// encrypted folder or a database look the same to them.
//
// Names are slash-separated and relative to the store's root; "." is the root itself. They come from [ParsePath], so they have no "..",
// empty or "." segments. Errors wrap the sentinels of this package ([ErrNotExist], [ErrExist], [ErrEscapes], [ErrNotRegular],
// [ErrPermission], [ErrNoSpace], [ErrNameTooLong], [ErrNotDir], [ErrInside], [ErrChanged], [ErrUnavailable], [ErrLinkLoop]); host paths
// in them are never shown to the agent. Implementations are safe for concurrent use; writes are called with the lock held.
type Backend interface {
	// Stat describes name, following links that stay inside the store. A link
	// that leads out is ErrEscapes, a dangling one ErrNotExist.
	Stat(name string) (Info, error)
	// Lstat describes name itself, without following a link in the last segment.
	Lstat(name string) (Info, error)
	// ReadDir lists a directory, sorted by name in code point order. It describes entries as Lstat does and omits those that vanish
	// meanwhile. The caller owns the slice.
	ReadDir(name string) ([]Info, error)
	// Readlink returns the target of the link at name.
	Readlink(name string) (string, error)
	// Open opens a regular file, and fails with ErrNotRegular for anything else, including a directory, without blocking on a FIFO or
	// opening a device.
	Open(name string, a Access) (File, error)

	// Create makes a new file with the bytes of data, and its missing parents
	// (files 0600, directories 0700 whatever the umask). It never replaces:
	// ErrExist. If it returns nil, the file and its name are durable; if it
	// fails, neither the file nor parents made for it remain.
	Create(name string, data []byte) error
	// Replace atomically replaces the bytes of the regular file at name and keeps its mode. Through a link that stays inside the store it
	// writes the target and keeps the link. Just before the switch it compares the bytes on disk with old; if they differ, it writes
	// nothing and returns ErrChanged.
	Replace(name string, old, data []byte) error
	// Remove deletes a file, a link (never its target) or a directory with
	// everything below it.
	Remove(name string) error
	// Rename moves a file, link or directory, and makes the missing parents of
	// newname. It never replaces: ErrExist.
	Rename(oldname, newname string) error

	// Lock waits until ctx ends for the lock among all our own writers, in this process and in others. The returned func releases it.
	Lock(ctx context.Context) (unlock func(), err error)
	// Close releases the resources of the backend. Later calls fail with ErrUnavailable.
	Close() error
}
