package watch

import (
	"path/filepath"
	"strings"

	"memcurator/memstore"
)

// Paths have three forms here: agent paths ("/memories/a/b", in everything that is
// published), names ("a/b", "." for the root: the backend's, everywhere inside) and
// disk paths (fsnotify's).

// nameOf turns an agent path, as it is published, into a name. Nothing in it is decoded.
func nameOf(agentPath string) string {
	name := strings.Trim(strings.TrimPrefix(agentPath, memstore.Root), "/")
	if name == "" {
		return "."
	}
	return name
}

func join(dir, base string) string {
	if dir == "." {
		return base
	}
	return dir + "/" + base
}

// inside tells whether name lies below dir.
func inside(name, dir string) bool {
	return dir == "." && name != "." || len(name) > len(dir) && name[len(dir)] == '/' && name[:len(dir)] == dir
}

// moved returns what name is called after from became to; name is from or lies below it.
func moved(name, from, to string) string {
	return to + name[len(from):]
}

// diskPath is where fsnotify looks for name.
func diskPath(root, name string) string {
	if name == "." {
		return root
	}
	return root + string(filepath.Separator) + filepath.FromSlash(name)
}

// nameOfDisk is the opposite; ok is false for a path that is not in the store.
func nameOfDisk(root, path string) (name string, ok bool) {
	if path == root {
		return ".", true
	}
	rest, ok := strings.CutPrefix(path, root)
	if !ok || len(rest) < 2 || rest[0] != filepath.Separator {
		return "", false
	}
	return filepath.ToSlash(rest[1:]), true
}
