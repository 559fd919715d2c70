package discover

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// isSeparator reports a character that separates the names of a path on this system.
func isSeparator(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) }

// trimEnd is a path without separators at its end.
func trimEnd(path string) string { return strings.TrimRightFunc(path, isSeparator) }

// split cuts the last name off a path. The folder above the last one is "", so that a way up ends there.
func split(path string) (dir, name string) {
	dir, name = filepath.Split(trimEnd(path))
	return trimEnd(dir), name
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
	return strings.FieldsFunc(path, isSeparator)
}
