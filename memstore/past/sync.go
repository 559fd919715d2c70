package past

import "memcurator/memstore"

// Hints name the places where a store may differ from its record. They may be wrong: the recorder checks each of them.
type Hints struct {
	Names []string // agent paths; of a folder everything below it is compared
	// Root is the directory in which the names were seen; zero means any. If a different directory is there now, the call
	// fails with [memstore.ErrUnavailable] and records nothing.
	Root memstore.FileID
	// Tree is a fresh scan of the whole store: everything is compared with it, and Names are ignored. Nil means compare Names.
	Tree *memstore.Snapshot
	// Unseen means that the store was not being watched, so a difference may date from any time since the last comparison.
	Unseen bool
	// Report is called with how many of the paths in question are compared, on the caller's goroutine; may be nil.
	Report func(done, files int)
}
