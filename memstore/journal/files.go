package journal

import (
	"os"
	"path/filepath"
	"strings"
)

// The files of the journal in the state folder of its store. No other package knows their names.
const (
	fileName  = "journal.db"
	lockName  = fileName + "-lock" // an empty folder, which carries the lock of the journal: that of the state folder is a purge's
	asideMark = ".damaged-"        // follows fileName in the names of journals that were put aside as damaged
)

// Path returns the database of the journal in the state folder dir, to name it and to ask for it by its name; see [DatabaseFile].
func Path(dir string) string { return filepath.Join(dir, fileName) }

// FileKind is what a file in the state folder of a store is to the journal there.
type FileKind int

// The kinds.
const (
	// otherFile belongs to someone else, or may be removed at any time.
	otherFile FileKind = iota
	// DatabaseFile is one that SQLite has open while a Journal is: the database, its write-ahead log, or the index of that. No
	// code but SQLite may open one of them by its name meanwhile, see [IsOpen]: closing any descriptor of a file drops all locks of
	// the process on it, and the next process then takes the journal for one that no process has open.
	DatabaseFile
	// AsideFile is part of a journal that was set aside as damaged.
	AsideFile
	// CopyFile is a copy of the journal, verified or not.
	CopyFile
)

// KindOf is the kind of the file name in a state folder.
func KindOf(name string) FileKind {
	switch end, ok := strings.CutPrefix(name, fileName); {
	case ok && (end == "" || end == logSuffix || end == "-shm" || end == "-journal"):
		return DatabaseFile
	case strings.HasPrefix(name, fileName+asideMark):
		return AsideFile
	case name == copyName || name == draftName:
		return CopyFile
	}
	return otherFile
}

// IsOpen reports whether this process has the journal in the state folder dir open, under whatever name of the folder.
func IsOpen(dir string) bool {
	file, err := os.Stat(Path(dir))
	if err != nil {
		return false
	}
	found := false
	opened.Range(func(j, _ any) bool {
		if path := j.(*Journal).path; path != "" {
			other, err := os.Stat(path)
			found = err == nil && os.SameFile(file, other)
		}
		return !found
	})
	return found
}

// Exists reports whether the state folder dir has a journal, or what is left of one: its copy.
func Exists(dir string) bool {
	_, err := os.Stat(Path(dir))
	_, copyErr := os.Stat(filepath.Join(dir, copyName))
	return err == nil || copyErr == nil
}
