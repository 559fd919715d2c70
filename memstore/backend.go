package memstore

import (
	"iter"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
	"memcurator/memstore/backend/mem"
)

// The names of package backend that users of a [Store] need, as os repeats those of io/fs: programs that embed the library need one
// import. See package backend for their documentation.
type (
	Backend     = backend.Backend
	File        = backend.File
	Info        = backend.Info
	Kind        = backend.Kind
	FileID      = backend.FileID
	Access      = backend.Access
	Snapshot    = backend.Snapshot
	Node        = backend.Node
	ScanOptions = backend.ScanOptions
)

// Optional interfaces of a [Backend].
type (
	TempSweeper = backend.TempSweeper
	DiskNamer   = backend.DiskNamer
	AccessTimer = backend.AccessTimer
	PathFinder  = backend.PathFinder
	Partial     = backend.Partial
	Adapted     = backend.Adapted
	Stamps      = backend.Stamps
)

// The backends that come with the library.
type (
	Dir        = dir.Dir
	DirOptions = dir.Options
	Memory     = mem.Memory
)

// OpenDir opens a directory of the file system; see [dir.Open].
func OpenDir(path string, o DirOptions) (*Dir, error) { return dir.Open(path, o) }

// NewMemory makes a backend in memory; see [mem.New].
func NewMemory() Backend { return mem.New() }

const (
	Root    = backend.Root
	MaxName = backend.MaxName

	KindFile  = backend.KindFile
	KindDir   = backend.KindDir
	KindLink  = backend.KindLink
	KindOther = backend.KindOther

	Use  = backend.Use
	Look = backend.Look
)

// Errors of backends, for errors.Is.
var (
	ErrNotExist    = backend.ErrNotExist
	ErrExist       = backend.ErrExist
	ErrPermission  = backend.ErrPermission
	ErrEscapes     = backend.ErrEscapes
	ErrLinkLoop    = backend.ErrLinkLoop
	ErrNotDir      = backend.ErrNotDir
	ErrNotRegular  = backend.ErrNotRegular
	ErrNoSpace     = backend.ErrNoSpace
	ErrChanged     = backend.ErrChanged
	ErrUnavailable = backend.ErrUnavailable
	ErrFixed       = backend.ErrFixed
	ErrBusy        = backend.ErrBusy
	ErrTooBig      = backend.ErrTooBig
)

// AgentPath is [backend.AgentPath].
func AgentPath(name string) string { return backend.AgentPath(name) }

// BackendName is [backend.BackendName].
func BackendName(agentPath string) string { return backend.BackendName(agentPath) }

// ParsePath is [backend.ParsePath].
func ParsePath(raw string) (name string, err error) { return backend.ParsePath(raw) }

// InGit is [backend.InGit].
func InGit(path string) bool { return backend.InGit(path) }

// IsAbsent is [backend.IsAbsent].
func IsAbsent(err error) bool { return backend.IsAbsent(err) }

// ReadFile is [backend.ReadFile].
func ReadFile(b Backend, name string, a Access, most int64) ([]byte, error) {
	return backend.ReadFile(b, name, a, most)
}

// SnapshotOf is [backend.SnapshotOf].
func SnapshotOf(sorted iter.Seq2[string, Info], n int) *Snapshot {
	return backend.SnapshotOf(sorted, n)
}
