package past

// Blamed is one line of a file and the revision that wrote it.
type Blamed struct {
	Text []byte // with its newline, if it has one
	Rev  int64  // 0: it was there when the journal began
	// Unsure: the bytes before this revision are not kept, so the line may be older.
	Unsure bool
}

// Blame is a file line by line.
type Blame struct {
	Lines     []Blamed
	Revisions map[int64]Revision // those that Lines name
}
