package past

// State is the position of a record, and also the cursor of a follower. It is comparable; the zero value is before everything.
type State struct {
	Last    int64 // the newest revision; in a cursor, the last one delivered
	Flags   int64 // increases when recorded revisions change: read, undone, attributed by a transcript
	Floor   int64 // revisions up to this one were pruned
	Purges  int64 // the number of purges so far: when it has risen, texts that were read before are to be forgotten
	Damaged bool  // nothing more can be read
}

// Batch is what was recorded after a state.
type Batch struct {
	Revisions []Revision // ascending; none at or below the state's Last
	Next      State      // the state to pass to the next call
	Newest    int64      // the newest revision; more are waiting while Next.Last is below it
}
