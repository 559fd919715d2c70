package adapt

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/backend"
)

// tree is an image as folders and files. It doesn't change.
type tree struct {
	image *Image
	nodes map[string]*node
}

// node is a file or, without an entry, a folder.
type node struct {
	info  backend.Info
	entry *Entry
	kids  []*node // in order of their names
}

// fixed returns why the bytes of a file can't be changed.
func (n *node) fixed() error {
	if n.entry != nil && n.entry.Fixed != "" {
		return &backend.Refusal{Why: n.entry.Fixed, Fixed: true}
	}
	return nil
}

// folderSize is the size of every folder, as on most file systems.
const folderSize = 4096

// plant makes the tree of an image. file identifies the memory, was is the tree before, and at is when the files last changed.
func plant(file string, image *Image, was *tree, at time.Time) *tree {
	device := identity(file, "", "")
	t := &tree{image: image, nodes: make(map[string]*node, len(image.Entries)+1)}
	t.nodes["."] = &node{info: backend.Info{Name: ".", Kind: backend.KindDir, Size: folderSize, Mode: t.folderMode(), ModTime: at,
		ID: backend.FileID{Device: device, Inode: 1}}}
	ids := make(map[uint64]bool, len(image.Entries))
	for i := range image.Entries {
		e := &image.Entries[i]
		if t.nodes[e.Name] != nil {
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
		n := &node{entry: e, info: backend.Info{Name: path.Base(e.Name), Kind: backend.KindFile, Size: int64(len(e.Text)), Mode: t.fileMode(e),
			ModTime: t.modTime(e, was, at), ID: backend.FileID{Device: device, Inode: id}}}
		parent := t.folder(path.Dir(e.Name), device, at)
		parent.kids = append(parent.kids, n)
		t.nodes[e.Name] = n
	}
	for _, n := range t.nodes {
		slices.SortFunc(n.kids, func(a, b *node) int { return strings.Compare(a.info.Name, b.info.Name) })
	}
	return t
}

// folder returns the folder of a name, and makes it and its parents if need be.
func (t *tree) folder(name string, device uint64, at time.Time) *node {
	if n := t.nodes[name]; n != nil {
		return n
	}
	n := &node{info: backend.Info{Name: path.Base(name), Kind: backend.KindDir, Size: folderSize, Mode: t.folderMode(), ModTime: at,
		ID: backend.FileID{Device: device, Inode: identity("folder", "", name)}}}
	t.nodes[name] = n
	parent := t.folder(path.Dir(name), device, at)
	parent.kids = append(parent.kids, n)
	return n
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
			if n := was.nodes[e.Name]; n != nil && n.entry != nil && bytes.Equal(n.entry.Text, e.Text) {
				return n.info.ModTime
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
func (t *tree) find(name string) (*node, error) {
	if n := t.nodes[name]; n != nil {
		return n, nil
	}
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		if n := t.nodes[at]; n != nil && n.entry != nil {
			return nil, backend.ErrNotDir
		}
	}
	return nil, backend.ErrNotExist
}
