// Package watch says where a store may have changed: which names, what was renamed, and how far that can be trusted.
//
// What lives here: the file system events (the only import of fsnotify) and the model of the tree that they keep up to
// date. Nothing of a file is read here: whoever starts a watch passes the function that looks and records
// ([Options].Sync; package journal has it). The tree and its scan are in memstore (Snapshot, Tree, Scan). The interface
// calls it through [Start] and reads [Watcher.Updates]; a server that only tells of changes takes the names.
//
// One goroutine, the owner, holds everything that changes: the model, and the names that are to be looked at. It is fed by
//
//   - the pump, which empties fsnotify's channels without delay (events.go),
//   - the poll, which compares folders that give no events (poll.go),
//   - scans of the whole tree (scan.go), during which it takes nothing else,
//   - the answers of looks, one of which runs at a time (settle.go),
//   - the edits that our own handlers have finished (nudge.go).
//
// A change is never taken from an event. Events only say where to look: the model follows them at once, and when a name
// has been quiet for a moment it is looked at. So an edit by a temporary file and a rename is one edit, a touch is none, and
// lost or doubled events do no harm. No timer runs while nothing is pending, except where folders must be polled: that
// takes at most a fiftieth of one core.
package watch
