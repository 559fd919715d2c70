package past

import "memcurator/memstore"

// Hints say how a store is compared with its record.
type Hints struct {
	// Tree is a fresh scan of the whole store; the recorder checks each difference. If a different directory is there now, the call fails
	// with [memstore.ErrUnavailable] and records nothing. Nil: the recorder scans.
	Tree *memstore.Snapshot
	// Unseen means that the directory was not being watched, so a difference may date from any time since the last comparison, and where
	// all files are gone they may not have been deleted.
	Unseen bool
	// Report is called with how many of the paths in question are compared, on the caller's goroutine; may be nil.
	Report func(done, files int)
}
