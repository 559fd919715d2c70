package past

import (
	"time"

	"memcurator/memstore"
)

// Fact is what is known of one existing file or link. It is a value. Zero times are unknown. A file keeps its history when it is edited or
// renamed; what comes to a path after a removal is another file, also if that is undone.
type Fact struct {
	Path string // agent path
	Kind memstore.Kind
	Size int64 // bytes
	// Digest is of its bytes, as they were last recorded; zero: they were never read.
	Digest memstore.Digest
	// FirstSeen is when it came. What is not after the beginning of the record was there then, and may be older.
	FirstSeen time.Time
	// Changed is when its bytes became what they are, regardless of who did that: of what was there when the record
	// began and has not changed since, the modification time it had then. Bytes that were restored have the time
	// from before.
	Changed time.Time
	// Restored is when an undo, a redo, a revert or a restore gave it these bytes or this path.
	Restored time.Time
	// Moved is when it came to its path by a rename.
	Moved time.Time
	// Used is when the agent last viewed or wrote it; viewing a folder that lists it does not count.
	// Uses is how often it did.
	Used time.Time
	Uses int
}

// Use is what is known of the agent's views of one path.
type Use struct {
	Views int
	Last  time.Time
}
