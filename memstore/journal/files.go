package journal

import (
	"path/filepath"
	"strings"

	"memcurator/memstore/journal/sidecar"
)

// The files of the database in the state folder of its store; those beside it are in package sidecar. No other package knows
// their names.
const (
	fileName  = sidecar.Database
	logSuffix = "-wal"      // follows fileName in the name of the write-ahead log, where new revisions come first
	asideMark = ".damaged-" // follows fileName in the names of journals that were put aside as damaged
)

// Path returns the database of the journal in the state folder dir, to name it and to ask for it by its name; see [Owns].
func Path(dir string) string { return filepath.Join(dir, fileName) }

// Owns reports whether the file name in the state folder of a store is one that SQLite has open while a
// Journal is: the database, its write-ahead log, or the index of that. No code but SQLite may open one of them by its name
// meanwhile: closing any descriptor of a file drops all locks of the process on it, and the next process to come then
// mistakes the journal for one that is not open anywhere. [Journal.Image] reads their bytes.
func Owns(name string) bool {
	end, ok := strings.CutPrefix(name, fileName)
	switch end {
	case "", logSuffix, "-shm", "-journal":
		return ok
	}
	return false
}

// InUse reports whether the file name in a state folder belongs to the journal that is in use.
func InUse(name string) bool { return Owns(name) || sidecar.IsEndings(name) }

// IsAside reports whether the file name in a state folder is part of a journal that was put aside as damaged.
func IsAside(name string) bool { return strings.HasPrefix(name, fileName+asideMark) }

// IsCounted reports whether the file name in a state folder holds nothing but counts and hashes, or is emptied by a purge: the
// proof that there was a journal, and the reserve.
func IsCounted(name string) bool { return sidecar.IsCounted(name) }
