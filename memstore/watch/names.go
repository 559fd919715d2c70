package watch

import (
	"path/filepath"
	"strings"

	"memcurator/memstore"
)

// Paths have three forms here: agent paths ("/memories/a/b", in everything that is
// published), names ("a/b", "." for the root: the backend's, everywhere inside) and
// disk paths (fsnotify's).

func join(dir, base string) string {
	if dir == "." {
		return base
	}
	return dir + "/" + base
}

// inside reports whether name is below dir.
func inside(name, dir string) bool {
	return dir == "." && name != "." || len(name) > len(dir) && name[len(dir)] == '/' && name[:len(dir)] == dir
}

// onDisk is the location of a store; the zero onDisk is nowhere.
type onDisk struct {
	root  string             // disk path of the directory
	namer memstore.DiskNamer // nil: names on disk are those of the store
	// backed is set, and root empty, if all entries are in a few files.
	backed memstore.FileBacked
}

// diskOf returns the location of a backend's store.
func diskOf(b memstore.Backend) onDisk {
	switch b := b.(type) {
	case memstore.DiskPather:
		return onDisk{root: b.Path()}
	case memstore.DiskNamer:
		return onDisk{root: b.DiskPath(), namer: b}
	case memstore.FileBacked:
		return onDisk{backed: b}
	}
	return onDisk{}
}

// path is where fsnotify looks for name.
func (d onDisk) path(name string) string {
	if name == "." {
		return d.root
	}
	if d.namer != nil {
		name = d.namer.DiskName(name)
	}
	return d.root + string(filepath.Separator) + filepath.FromSlash(name)
}

// name is the opposite of path; ok is false for a path that is not in the store.
func (d onDisk) name(path string) (name string, ok bool) {
	if path == d.root {
		return ".", true
	}
	rest, ok := strings.CutPrefix(path, d.root)
	if !ok || len(rest) < 2 || rest[0] != filepath.Separator {
		return "", false
	}
	name = filepath.ToSlash(rest[1:])
	if d.namer != nil {
		return d.namer.StoreName(name)
	}
	return name, true
}
