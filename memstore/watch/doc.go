// Package watch reports where a store may have changed: which names, which renames, and how far the report can be trusted.
//
// It contains the file system events (the only import of fsnotify) and the model of the tree that the events keep up to date.
// It reads no file contents: the caller passes the function that compares and records ([Options].Sync, from package journal).
// The tree and its scan are in memstore (Snapshot, Tree, Scan). The interface calls [Start] and reads [Watcher.Updates].
//
// One goroutine, the owner, holds all mutable state: the model, and the names waiting to be compared. Its inputs are
//
//   - the pump, which empties fsnotify's channels without delay (events.go),
//   - the poll, which compares folders without events (poll.go),
//   - scans of the whole tree (scan.go), during which it handles nothing else,
//   - the results of comparisons, one of which runs at a time (settle.go),
//   - the edits that our own handlers have finished (nudge.go).
//
// Events never count as changes; they only show where to compare. The model follows them immediately, and a name is compared once it
// has been quiet for a moment. So an edit by a temporary file and a rename is one edit, a touch is not an edit at all, and lost or
// duplicate events do no harm. No timer runs while nothing is pending, except where folders must be polled, which takes at most a
// fiftieth of one core.
package watch
