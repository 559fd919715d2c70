package session

import (
	"os"
	"path/filepath"
)

// locator finds stores by paths of this machine.
type locator struct {
	hasJournal func(dir string) bool
}

// around finds the store that a directory of this machine is, or is in: the nearest one with a journal, else the nearest of a usual
// name. It is "" if there is none.
func (l locator) around(dir string, names ...string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	named := ""
	for {
		if l.hasJournal(dir) {
			return dir
		}
		for _, name := range names {
			if named == "" && filepath.Base(dir) == name {
				named = dir
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return named
		}
		dir = parent
	}
}

// note reads a word as a file or folder of this machine, as a shell completes it; store is "" if it is not in a store. A folder is only
// in a store with a journal: any other may be a store itself.
func (l locator) note(word string) (store, note string) {
	info, err := os.Stat(word)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return "", ""
	}
	file, err := filepath.Abs(word)
	if err != nil || info.IsDir() && l.hasJournal(file) {
		return "", ""
	}
	var names []string
	if !info.IsDir() {
		names = []string{"memories", "memory"} // the user named a file in it
	}
	if store = l.around(filepath.Dir(file), names...); store == "" {
		return "", ""
	}
	note, err = filepath.Rel(store, file)
	if err != nil {
		return "", ""
	}
	return store, filepath.ToSlash(note)
}

// isIn reports whether a store has something at a path relative to it.
func isIn(store, note string) bool {
	_, err := os.Lstat(filepath.Join(store, filepath.FromSlash(note)))
	return err == nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
