package past

// Report is what a check of the journal has found.
type Report struct {
	Damage    []string // what SQLite and our own checks found, in English
	Uncertain []int64  // revisions of processes that died in the middle
	Open      int      // revisions of an edit that is under way, or was killed
	// What there is, where there is no damage.
	Bytes               int64 // on the disk
	Revisions, Contents int
}

// OK reports whether nothing is wrong.
func (r *Report) OK() bool {
	return len(r.Damage) == 0
}
