package past

import (
	"context"
	"time"
)

// State is how far a record has come, and at the same time the cursor of who follows it. It is comparable; its zero
// value is before everything.
type State struct {
	Last   int64  // the newest revision; of a cursor: the last one that was delivered
	Flags  int64  // rises when recorded revisions change: read, pinned, undone, learned from a transcript
	Floor  int64  // revisions up to this one were pruned
	Purges int64  // how many purges there were
	Epoch  string // which record it is: another one means that it was replaced; "": not known yet
	Level  Level  // of its health
}

// Batch is what came after a state.
type Batch struct {
	Revisions []Revision // ascending; none at or below the state's Last
	Next      State      // the state to ask with next
	Newest    int64      // the newest revision there is: more are waiting while Next.Last is below it
	// Reset: the record was replaced or rolled back, so what was read of it is of no use. There are no revisions; Next is
	// where it stands now.
	Reset  bool
	Health Health
}

// Follower delivers revisions as they are recorded, by whatever process.
type Follower interface {
	// Follow returns what came after seen, at most so many revisions, at once if there is something, else as soon as there
	// is; the end of ctx is an error. Numbers may have gaps, but none at or below a delivered one comes later. A change of
	// anything but Last is a Batch too, without revisions if there are none.
	Follow(ctx context.Context, seen State, most int) (Batch, error)
}

// Level is how well something works.
type Level uint8

// The levels, best first.
const (
	Good    Level = iota
	Loading       // it is being read for the first time
	Slow          // it works, with delays
	Partial       // some of it is missing
	Offline       // it cannot be reached
	Damaged
)

// Health is how well a record, or what feeds it, works.
type Health struct {
	Level Level
	Note  string    // a sentence for the user, or empty
	Since time.Time // zero: not known
}
