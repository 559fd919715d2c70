// Package watch turns what happens in a store's directory into changes: who
// changed which path, how, and the bytes before and after.
//
// What lives here: the file system events (the only import of fsnotify), the model of the
// tree that they keep up to date, the copies of contents that make the "before" of a later
// change, and the recorder that tells the edits of our own handlers from those of other programs.
// The tree itself and its scan are in memstore (Snapshot, Tree, Scan). The UI calls it through
// [Start], reads [Watcher.Updates], and passes the Watcher to the store as a recorder.
//
// One goroutine, the owner, holds everything that changes: the model of the tree as it
// is now, the tree as it was told in changes, and the last known contents. It is fed by
//
//   - the pump, which empties fsnotify's channels without delay (events.go),
//   - the poll, which compares folders that give no events (poll.go),
//   - scans of the whole tree (scan.go), during which it takes nothing else,
//   - the reader, which reads files that settled, one batch at a time (reader.go),
//   - the baseline, which reads all files once in the background (baseline.go),
//   - the edits that our own handlers have finished (record.go).
//
// A change is never taken from an event. Events only say where to look: the model follows
// them at once, and when a path has settled it is compared with what was told last
// (compare.go). So an edit by a temporary file and a rename is one edit, a touch is none, and lost
// or doubled events do no harm. No timer runs while nothing is pending, except
// where folders must be polled: that takes at most a fiftieth of one core.
package watch
