package past

// State is the position of a record, and also the cursor of a follower. It is comparable; the zero value is before everything.
type State struct {
	Last   int64  // the newest revision; in a cursor, the last one delivered
	Flags  int64  // increases when recorded revisions change: read, undone, attributed by a transcript
	Floor  int64  // revisions up to this one were pruned
	Purges int64  // the number of purges so far
	Epoch  string // identifies the record; a different value means that it was replaced, "" that it is unknown so far
	Level  Level  // of its health
}

// Batch is what was recorded after a state.
type Batch struct {
	Revisions []Revision // ascending; none at or below the state's Last
	Next      State      // the state to pass to the next call
	Newest    int64      // the newest revision; more are waiting while Next.Last is below it
	// Reset means that the record was replaced or rolled back, so everything read from it so far is void. The batch has no
	// revisions, and Next is the current state.
	Reset  bool
	Health Health
}

// Level is how well something works.
type Level uint8

// The levels, best first.
const (
	Good Level = iota
	Damaged
)

// Health describes how well a record, or its source, is working.
type Health struct {
	Level Level
	Note  string // a sentence for the user, may be empty
}
