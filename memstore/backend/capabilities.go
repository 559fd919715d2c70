package backend

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"
)

// What follows is what a [Backend] may offer beyond its interface, for the
// dialects that act as the SDKs do. A backend without one of them still works: the
// comment of each says what is different then.

// Follower follows links for dialects that act on what a path leads to, not on
// the path. Without it a path is taken as it is spelled.
type Follower interface {
	// Follow returns the name that name leads to once every link in it is
	// followed, the last one too, and one whose target does not exist. Segments that
	// do not exist, or are below a file, are kept. [ErrEscapes] where a link leads
	// out of the store. [ErrLinkLoop] where links run in a circle, with the name as far as it could
	// be followed and the rest behind it as it is spelled, as Python resolves paths; with "" where
	// they are too many.
	Follow(name string) (string, error)
}

// FolderMaker makes folders for dialects in which a failing command leaves the
// parents that it has made. Without it they are not made.
type FolderMaker interface {
	// MakeFolder makes the directory at name and its missing parents, 0700 whatever the
	// umask. When it fails none of them is left. It is called with the lock held.
	MakeFolder(name string) error
}

// TempKeeper is a backend that writes files through temporary ones, under names that its caller chooses. The names are then
// recorded before they are on the disk, and the leftovers of a killed process can be distinguished from other files.
// Without it nothing is recorded of them.
type TempKeeper interface {
	// CreateVia is Create, and ReplaceVia Replace, through a temporary file called temp in the folder of the
	// file, where links have been followed.
	CreateVia(name, temp string, data []byte) error
	ReplaceVia(name, temp string, old, data []byte) error
	// RemoveTemp removes the temporary file at name, a regular file of a name that this package gives;
	// nil where it is gone. RemoveEmpty removes a folder that holds nothing. Both are called with the lock held.
	RemoveTemp(name string) error
	RemoveEmpty(name string) error
}

// LinkReplacer puts files in the place of links, for the dialect whose edits do
// that. Without it the link is removed first and the file made after.
type LinkReplacer interface {
	// ReplaceLink puts a new file, 0600, in the place of the link at name, whole or not at
	// all. What the link points to stays as it is. It is called with the lock held.
	ReplaceLink(name string, data []byte) error
}

// DiskPather is a backend whose store is a directory of the file system in which
// everything is under the name that it has in the store. A watcher hears there of what
// other programs do. Without it, and without [DiskNamer], it compares the store with what it
// knows again and again.
type DiskPather interface {
	// Path returns the absolute path of the directory. It is for people and for watching, and
	// never goes into a result for the agent.
	Path() string
}

// DiskNamer is a backend whose store is a directory of the file system with one entry for each of
// its own, under other names, as an encrypted one has. It must not have the method of [DiskPather].
type DiskNamer interface {
	// DiskPath is what Path is of a DiskPather.
	DiskPath() string
	// DiskName is the name below the directory, slash-separated, of a name of the store.
	DiskName(name string) string
	// StoreName is the opposite. ok is false for what does not belong to the store.
	StoreName(disk string) (name string, ok bool)
}

// AccessTimer reports when files were last read. Without it that is unknown.
type AccessTimer interface {
	// AccessTime is when the file at name was last read, to the precision that the file system keeps
	// (on Linux usually a day). [errors.ErrUnsupported] where it keeps none.
	AccessTime(name string) (time.Time, error)
}

// Follow is the physical name of a path below the root. Its "..", where it
// has any, lead to the parent of what the part before them leads to. The store's
// own directory has a parent, in which it is called like the last segment of [Root].
func Follow(b Backend, name string) (string, error) {
	at, ahead := ".", "." // ahead is at with the segments that were not followed yet
	var outside []string  // segments below the parent of the store, while the path is out there
	out := false
	looped := false // the path ran into a circle: the rest of it is taken as it is spelled
	for segment := range EachSegment(name) {
		if segment == ".." && ahead != at {
			var err error
			if at, looped, err = followed(b, ahead, looped); err != nil {
				return "", err
			}
			ahead = at
		}
		switch {
		case segment == ".." && out && len(outside) == 0:
			return "", ErrEscapes
		case segment == ".." && out:
			outside = outside[:len(outside)-1]
		case segment == ".." && at == ".":
			out = true
		case segment == "..":
			at = path.Dir(at)
			ahead = at
		case out:
			outside = append(outside, segment)
		default:
			ahead = JoinName(ahead, segment)
		}
		if out && len(outside) == 1 && outside[0] == Root[1:] {
			out, outside = false, nil
		}
	}
	switch {
	case out:
		return "", ErrEscapes
	case ahead != at:
		var err error
		if at, looped, err = followed(b, ahead, looped); err != nil {
			return "", err
		}
	}
	if looped {
		// What was taken as it is spelled must hold no other link: that may lead anywhere.
		if again, loops, err := followed(b, at, false); err != nil || loops || again != at {
			return "", fmt.Errorf("%s: %w", name, ErrLinkLoop)
		}
	}
	return at, nil
}

// followed follows the links in name, unless the path ran into a circle before.
func followed(b Backend, name string, looped bool) (at string, loops bool, err error) {
	f, ok := b.(Follower)
	if !ok || looped {
		return name, looped, nil
	}
	at, err = f.Follow(name)
	if errors.Is(err, ErrLinkLoop) && at != "" {
		return at, true, nil
	}
	return at, false, err
}

// MakeFolder makes a directory and its missing parents where the backend can.
func MakeFolder(b Backend, name string) error {
	if m, ok := b.(FolderMaker); ok {
		return m.MakeFolder(name)
	}
	return nil
}

// ReplaceLink puts a file in the place of a link.
func ReplaceLink(b Backend, name string, data []byte) error {
	if r, ok := b.(LinkReplacer); ok {
		return r.ReplaceLink(name, data)
	}
	if err := b.Remove(name); err != nil {
		return err
	}
	return b.Create(name, data)
}

// IsDangling reports whether name is a link that leads to nothing in the store.
func IsDangling(b Backend, name string) bool {
	info, err := b.Lstat(name)
	if err != nil || info.Kind != KindLink {
		return false
	}
	_, err = b.Stat(name)
	return errors.Is(err, ErrNotExist)
}

// AsideKeeper is a [Backend] whose folders are removed in such steps. Without it a folder is removed
// in the turn of whoever removes it.
type AsideKeeper interface {
	// Removable reports why not all that the folder at name holds can be removed, as far as it can be
	// known: a folder that cannot be changed, a file that is fixed, another file system. It changes nothing.
	Removable(ctx context.Context, name string) error
	// RemoveAside removes a folder that was moved to a temporary name, with all that it holds. It is
	// called without the lock. After an error a part of it is left.
	RemoveAside(name string) error
}

// Resolver is what a [Backend] may offer beyond its interface: the name of the
// same thing without links in it. Guards and recorders then see one path for one
// file, whichever link it was reached by.
type Resolver interface {
	// Resolve follows the links in name that stay inside the store; with last also
	// one in its last segment. Segments that do not exist are kept.
	Resolve(name string, last bool) (string, error)
}

// LinkMaker makes links. Without it a link cannot be restored.
type LinkMaker interface {
	// Symlink makes a link at name, where nothing may be, and the missing parents.
	Symlink(target, name string) error
}

// SealedHeader is the name, in the directory of a store, of the file that says that names and
// contents there are encrypted (package age). No command makes it in any store: a
// plain one in which it lay would be taken for an encrypted one.
const SealedHeader = "memcurator.agestore"

// ModeKeeper sets the permissions of a file or a folder. Without it they are the backend's.
type ModeKeeper interface {
	Chmod(name string, mode fs.FileMode) error
}

// TimeKeeper sets the modification time of a file, a folder or a link, and of nothing that a link
// leads to. Without it, and where it is [errors.ErrUnsupported], the time is that of the write.
type TimeKeeper interface {
	SetModTime(name string, at time.Time) error
}

// AccessTimeKeeper sets the access time of a file. Without it the time is that of the write.
type AccessTimeKeeper interface {
	SetAccessTime(name string, at time.Time) error
}
