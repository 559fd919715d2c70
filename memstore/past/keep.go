package past

import "time"

// Keep is how much of the past the user wants. What the files hold now stays.
type Keep struct {
	Age time.Duration // revisions younger than that; 0: any age
	// Bytes is how many stored bytes the past may take, newest first; 0: any. What files hold now does not
	// count, since it stays anyway: one large note must not push the past of all others out. A content that alone is larger, and
	// has more than 64 KB, gives up its bytes, not the revisions before it.
	Bytes int64
}

// Pruned is what a retention has removed.
type Pruned struct {
	Revisions int
	Bytes     int64 // of stored contents
	Floor     int64 // the oldest revision at which the tree is still known
}

// Report is what a check of the journal has found.
type Report struct {
	Damage    []string // what SQLite and our own checks found, in English
	Uncertain []int64  // revisions of processes that died in the middle
	Open      int      // revisions of an edit that is under way, or was killed
	Revisions int
}

// OK reports whether nothing is wrong.
func (r *Report) OK() bool {
	return len(r.Damage) == 0
}
