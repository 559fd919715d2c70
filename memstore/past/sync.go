package past

import (
	"context"

	"memcurator/memstore"
)

// Hints are where a store may differ from its record. They need not be true: whoever gets them looks.
type Hints struct {
	Names []string // agent paths; of a folder everything below it is compared
	Moves []Move   // renames that the system has told of
	// There are those of the names at which something was when they were named. If one of them is gone by now, it is named
	// again with what has become of it: to record it as removed would take a rename for a removal.
	There []string
	// Root is the directory in which the names were seen; the zero value: any. If another one is there now, the call fails
	// with [memstore.ErrUnavailable] and nothing is recorded.
	Root memstore.FileID
	// Tree is the whole store, just read: everything is compared, and Names are not needed. Nil: the names are.
	Tree *memstore.Snapshot
	// Unseen: nobody watched, so the differences may be of any time since the last look.
	Unseen bool
}

// Move is a rename.
type Move struct{ From, To string }

// Synced is the outcome of a comparison.
type Synced struct {
	Made int // revisions
	// Again are agent paths that could not be compared, because an edit of our own is under way there or one has just
	// ended: they are to be named again a little later.
	Again []string
}

// Syncer records what other programs have done to a store, by looking where they may have.
type Syncer interface {
	Sync(ctx context.Context, h Hints) (Synced, error)
}
