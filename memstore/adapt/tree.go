package adapt

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"io/fs"
	"maps"
	"path"
	"slices"
	"time"

	"memcurator/memstore/backend"
)

// tree is an image as folders and files. It doesn't change.
type tree struct {
	image   *Image
	files   *backend.Snapshot
	entries map[string]*Entry // by name; folders have none
}

// fixed returns why the bytes of a file can't be changed.
func (t *tree) fixed(name string) error {
	why := t.image.ReadOnly
	if e := t.entries[name]; why == "" && e != nil {
		why = e.Fixed
	}
	if why == "" {
		return nil
	}
	return &backend.Refusal{Why: why, Fixed: true}
}

// folderSize is the size of every folder, as on most file systems.
const folderSize = 4096

// plant makes the tree of an image. file identifies the memory, was is the tree before, and at is when the files last changed.
func plant(file string, image *Image, was *tree, at time.Time) *tree {
	t := &tree{image: image, entries: make(map[string]*Entry, len(image.Entries))}
	device := identity(file, "", "")
	folder := func(name string, inode uint64) backend.Info {
		return backend.Info{Name: path.Base(name), Kind: backend.KindDir, Size: folderSize, Mode: t.folderMode(), ModTime: at,
			ID: backend.FileID{Device: device, Inode: inode}}
	}
	infos, ids := make(map[string]backend.Info, len(image.Entries)), make(map[uint64]bool, len(image.Entries))
	for i := range image.Entries {
		e := &image.Entries[i]
		if t.entries[e.Name] != nil {
			continue // a mistake of the adapter: names are unique
		}
		id := identity(file, "record ", e.ID)
		if e.ID == "" {
			id = identity(file, "file ", e.Name)
		}
		for ids[id] {
			id++
		}
		ids[id] = true
		t.entries[e.Name] = e
		infos[e.Name] = backend.Info{Name: path.Base(e.Name), Kind: backend.KindFile, Size: int64(len(e.Text)), Mode: t.fileMode(e),
			ModTime: t.modTime(e, was, at), ID: backend.FileID{Device: device, Inode: id}}
		for dir := path.Dir(e.Name); dir != "."; dir = path.Dir(dir) {
			infos[dir] = folder(dir, identity("folder", "", dir))
		}
	}
	names := slices.Sorted(maps.Keys(infos))
	t.files = backend.SnapshotOf(func(yield func(string, backend.Info) bool) {
		for _, name := range names {
			if !yield(name, infos[name]) {
				return
			}
		}
	}, len(names))
	t.files.Root.Info = folder(".", 1)
	return t
}

func (t *tree) folderMode() fs.FileMode {
	if t.image.ReadOnly != "" {
		return fs.ModeDir | 0o500
	}
	return fs.ModeDir | 0o700
}

func (t *tree) fileMode(e *Entry) fs.FileMode {
	if t.image.ReadOnly != "" || e.Fixed != "" {
		return 0o400
	}
	return 0o600
}

// modTime is when an entry last changed: what the program says, else the last change of its files at which the text became what it is. The
// fractions below a microsecond are made of the text, since whoever finds size and time unchanged doesn't read a file again: programs
// record times in seconds, or change a text without a new time.
func (t *tree) modTime(e *Entry, was *tree, at time.Time) time.Time {
	changed := e.Changed
	if changed.IsZero() {
		changed = at
		if was != nil {
			if before := was.entries[e.Name]; before != nil && bytes.Equal(before.Text, e.Text) {
				return was.files.Find(backend.AgentPath(e.Name)).ModTime
			}
		}
	}
	sum := sha256.Sum256(e.Text)
	return changed.Truncate(time.Microsecond).Add(time.Duration(binary.BigEndian.Uint16(sum[:]) % 1000))
}

// identity is a number for a thing of a memory, the same in every process.
func identity(file, kind, key string) uint64 {
	sum := sha256.Sum256([]byte(file + "\x00" + kind + key))
	return binary.BigEndian.Uint64(sum[:])>>1 | 1<<32 // databases have signed numbers
}

// find returns the node at a name.
func (t *tree) find(name string) (*backend.Node, error) {
	if n := t.files.Find(backend.AgentPath(name)); n != nil {
		return n, nil
	}
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		if t.entries[at] != nil {
			return nil, backend.ErrNotDir
		}
	}
	return nil, backend.ErrNotExist
}
