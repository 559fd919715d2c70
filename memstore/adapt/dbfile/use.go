package dbfile

import (
	"path/filepath"

	"memcurator/memstore/backend/quietfile"
)

// Suffix of the file in which SQLite keeps the pages of before while it changes a database.
const journalSuffix = "-journal"

// Use is what another program has under way with a database.
type Use struct {
	// Locked says that a process holds a lock of SQLite's to write, and Process which one; 0 if the system doesn't say.
	Locked  bool
	Process int
	// Journaled says that a change was begun and not ended: whoever opens the database with SQLite next puts pages of before back.
	Journaled bool
}

// InUse looks for what another program has under way with the database at a path. It takes no lock itself.
func InUse(path string) (u Use) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // SQLite keeps its files beside the file itself
	}
	if f, err := quietfile.Open(path, 0); err == nil {
		u.Process, u.Locked = locked(f)
		_ = f.Close() // it was only read
	}
	if f, err := quietfile.Open(path+journalSuffix, 0); err == nil {
		var first [1]byte
		n, _ := f.Read(first[:])
		u.Journaled = n > 0 && first[0] != 0 // a change that ended may leave the file, and zeroes in front
		_ = f.Close()                        // it was only read
	}
	return u
}
