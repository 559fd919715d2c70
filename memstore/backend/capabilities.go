package backend

import (
	"context"
	"io/fs"
	"time"
)

// Optional extensions of a [Backend], for the dialects that act as the SDKs
// do. A backend without them still works; the comment of each says what
// changes then.

// FolderMaker makes folders for dialects in which a failing command leaves
// the parents that it made. Without it, those folders are not made.
type FolderMaker interface {
	// MakeFolder makes the directory at name and its missing parents, 0700
	// whatever the umask. If it fails, none of them remain. It is called with the
	// lock held.
	MakeFolder(name string) error
}

// TempSweeper is a backend that writes a file through a temporary one beside it, which a killed process leaves behind.
type TempSweeper interface {
	// SweepTemps removes the temporary files that processes of this program left in a folder of the store. The caller knows that none is
	// at work there: one that was killed may still be listed as running.
	SweepTemps(folder string) error
}

// DiskNamer is a backend whose store is a directory with one entry for each of its own, under the same names or under others, as in an
// encrypted store. The file system notifies a watcher of changes by other programs there. Without it, a watcher polls the store.
type DiskNamer interface {
	// Path returns the absolute path of the directory. It is for people and for watching, and never appears in a result for the agent.
	Path() string
	// DiskName maps a name of the store to a slash-separated name below the directory.
	DiskName(name string) string
	// StoreName is the inverse of DiskName. ok is false for names that don't belong to the store.
	StoreName(disk string) (name string, ok bool)
}

// AccessTimer reports when files were last read. Without it, that is unknown.
type AccessTimer interface {
	// AccessTime returns when the file at name was last read, with the precision of the file system (on Linux usually a day). It is
	// [errors.ErrUnsupported] if the file system doesn't record access times.
	AccessTime(name string) (time.Time, error)
}

// MakeFolder makes a directory and its missing parents if the backend can.
func MakeFolder(b Backend, name string) error {
	if m, ok := b.(FolderMaker); ok {
		return m.MakeFolder(name)
	}
	return nil
}

// Resolver is a [Backend] that resolves links. Guards and recorders then see
// one path for one file, through whichever link it was reached.
type Resolver interface {
	// Resolve follows the links in name that stay inside the store; with last,
	// also one in its last segment. Segments that don't exist are kept.
	Resolve(name string, last bool) (string, error)
}

// LinkMaker makes links. Without it, links can't be restored.
type LinkMaker interface {
	// Symlink makes a link at name, which must not exist, and its missing parents.
	Symlink(target, name string) error
}

// SealedHeader is the name of the file that marks a directory as an encrypted store (package age). No command creates it in any store: a
// plain store with such a file would be taken for an encrypted one.
const SealedHeader = "memcurator.agestore"

// Stamps are the metadata of a file or folder. Owners are not among them: only root may give a file away.
type Stamps struct {
	Mode    fs.FileMode // permissions; 0 keeps the present ones
	ModTime time.Time   // last change to the bytes of a file; zero keeps the present one
}

// Carried are the stamps of a note that comes from another store: its permissions are those it had, but its owner can read it, and only
// its owner can write it.
func (s Stamps) Carried() Stamps {
	s.Mode = s.Mode.Perm()&^0o022 | 0o400
	return s
}

// Stamper sets the stamps of a file or a folder. Without it, or if it returns [errors.ErrUnsupported], the backend chooses the permissions,
// and the time is that of the write.
type Stamper interface {
	Stamp(name string, to Stamps) error
}

// PathFinder is a backend whose files have other names on this machine.
type PathFinder interface {
	// PathOf returns where a file is on this machine; "" if that is unknown. It is for people and for what reads the file system, and never
	// appears in a result for the agent.
	PathOf(name string) string
}

// Starter is a backend that knows what an agent reads when a session starts.
type Starter interface {
	// Start returns the files in the order in which the agent reads them.
	Start(ctx context.Context) ([]StartFile, error)
}

// StartFile is a file that an agent reads when a session starts, or would read if it could.
type StartFile struct {
	Name      string // in the store; of one that is elsewhere, its path as people know it
	Elsewhere bool   // it is not a file of the store, and Text is all of it
	Free      bool   // it doesn't count for a limit of all files together
	Problem   string // why the agent gets nothing of it; "" if it gets it
	Text      []byte // what the agent makes of the file before it cuts it; nil: it is read from the store
}

// Partial is a backend that changes only some of its files.
type Partial interface {
	// Changes returns nil if the file of that name can be changed, and the error of Replace otherwise.
	Changes(name string) error
}

// Adapted is a backend whose files are records in a few files of another program.
type Adapted interface {
	// Files are the paths of the program's files on this machine, for watching: a change of one may have changed, added or removed any
	// entry, and no folder on disk reports which. They never appear in a result for the agent.
	Files() []string
	// Version reads the files again if they changed. It returns the same number as long as no entry has changed since.
	Version() (uint64, error)
	// Troubles says what can't be understood of the files, a sentence each.
	Troubles() ([]string, error)
	// Form returns the bytes that a file has once data is written to it, and a [*Refusal] if no record can be made of data. Writing what
	// Form returned leaves exactly that.
	Form(name string, data []byte) ([]byte, error)
	// Renamed returns the bytes that the file at name has once it is at newname: a record's name may be part of its text. It returns nil for
	// a folder, and a [*Refusal] if the rename isn't possible.
	Renamed(name, newname string) ([]byte, error)
}
