package discover

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// separators are the bytes that separate the names of a path on this system.
const separators = string(filepath.Separator) + "/"

// split cuts the last name off a path. The folder above the last one is "", so that a way up ends there.
func split(path string) (dir, name string) {
	dir, name = filepath.Split(strings.TrimRight(path, separators))
	return strings.TrimRight(dir, separators), name
}

// under is a path below a folder; "" without a folder.
func under(dir string, names ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(append([]string{dir}, names...)...)
}

// same reports whether two names are one where the disk has them.
func same(a, b string) bool { return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b) }

func samePath(a, b string) bool {
	return same(filepath.Clean(a+string(filepath.Separator)), filepath.Clean(b+string(filepath.Separator)))
}

// untilAny cuts a path before its first [anyFolder]; without one, it returns no names.
func untilAny(path string) (root string, names []string) {
	for root = path; slices.Contains(parts(root), anyFolder); {
		var name string
		root, name = split(root)
		names = slices.Insert(names, 0, name)
	}
	if len(names) > 0 {
		root += string(filepath.Separator)
	}
	return root, names
}

func parts(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(separators, r) })
}
