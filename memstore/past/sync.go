package past

import (
	"context"

	"memcurator/memstore"
)

// Hints name the places where a store may differ from its record. They may be wrong: the recorder checks each of them.
type Hints struct {
	Names []string // agent paths; of a folder everything below it is compared
	// There lists the names at which something existed when they were collected. If one of them has vanished by the time it
	// is compared, a later hint will say why; recording it as removed now would mistake a rename for a removal.
	There []string
	// Root is the directory in which the names were seen; zero means any. If a different directory is there now, the call
	// fails with [memstore.ErrUnavailable] and records nothing.
	Root memstore.FileID
	// Tree is a fresh scan of the whole store: everything is compared with it, and Names are ignored. Nil means compare Names.
	Tree *memstore.Snapshot
	// Unseen means that the store was not being watched, so a difference may date from any time since the last comparison.
	Unseen bool
}

// Synced is the outcome of a comparison.
type Synced struct {
	Made int // revisions
	// Again lists the agent paths that could not be compared because one of our own edits was in progress there or had just
	// finished. The caller passes them again a little later.
	Again []string
}

// Syncer records what other programs did to a store by comparing the places where they may have written.
type Syncer interface {
	Sync(ctx context.Context, h Hints) (Synced, error)
}
