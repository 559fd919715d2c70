package journal

import (
	"strings"
)

// inside reports whether name is below the folder dir.
func inside(name, dir string) bool {
	return dir == "." && name != "." || strings.HasPrefix(name, dir+"/")
}

// moved is name after the folder or file from, which it is or is below, went to another name.
func moved(name, from, to string) string { return to + name[len(from):] }

// belowRange are the bounds of all names below the folder dir, the second one
// excluded: "0" follows "/".
func belowRange(dir string) (from, to string) {
	if dir == "." {
		return "", "\xff\xff\xff\xff"
	}
	return dir + "/", dir + "0"
}

// parents are the folders above name, the topmost first, without the root.
func parents(name string) []string {
	var list []string
	for i, c := range name {
		if c == '/' {
			list = append(list, name[:i])
		}
	}
	return list
}

// pathID returns the number of a name, making it where it is missing.
func (w *writer) pathID(name string) (int64, error) {
	var id int64
	found, err := w.row("SELECT id FROM path WHERE name = ?", []any{name}, &id)
	if err != nil || found {
		return id, err
	}
	return w.insert("INSERT INTO path (name) VALUES (?)", name)
}

// knownPath is pathID for what must not make a name: 0 where it is missing. A name that a purge has taken
// out may still be held by a process that was told it before, or stand in a transcript.
func (w *writer) knownPath(name string) (id int64, err error) {
	_, err = w.row("SELECT id FROM path WHERE name = ?", []any{name}, &id)
	return id, err
}
