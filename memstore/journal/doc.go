// Package journal is the record of all revisions of a store, with the bytes before and
// after: who changed which path, when and how, kept so that it can be read, searched and
// taken back. It lies in a SQLite database in the state folder of the store, never inside it.
//
// # What lives here
//
// A [Journal] is a [memstore.Recorder]: Begin commits an intent with both sides before the
// disk changes, and the settler, a goroutine, makes a revision of it once the edit has ended
// (intent.go, settle.go). What other programs do comes in by [Journal.Sync], which compares the names that a watcher gives it
// with what was last known, and by [Journal.Reconcile], which compares everything: one algorithm (compare.go,
// sync_record.go, beginning.go). All meet in writer.record, in one transaction with a look at the newest state and the open
// intents of the path, so that no change is recorded twice.
//
// [Journal.Follow] delivers revisions as they come, of this process and of others, which a bell wakes (follow.go, bell.go).
// [Memory] is the same journal without a file: of stores whose texts may not be on the disk in the clear.
//
// What ended with a success and is not settled when its process is killed stands in a file of numbers
// (endings.go). The log is written back beside SQLite's own settings (database.go).
//
// Reading: [Journal.List] and its relatives, [Journal.Tree] (the tree at a revision), [Journal.Blame],
// [Journal.Search], [Journal.Trash]. [Journal.Facts] is what policies ask of every live file. Package undo writes to the store, and
// asks here what it takes back (undo.go).
//
// # Rules
//
// Bytes are stored once for equal ones, compressed; no index holds a second copy of text. A path's
// history are intervals of revisions (entry.go), so that the tree at any revision is one query.
// Every connection deletes securely: a purge must find no copies in free pages.
//
// SQLite is the one owner of the database's files. POSIX locks belong to a process and a file, and closing any descriptor of
// the file drops all of them: another process would then take the journal for one that nobody has open and delete its log. So
// no code here or elsewhere opens a file that [Owns] names while this process may have it open: [Journal.Image] reads its bytes
// through the database, and what else must be known of the files is asked by name (stat, chmod).
//
// Who calls it: cli and tui; policies and transcripts take its exported types. It imports memstore
// and render/diff, and knows neither the watcher nor the screen. The database may be open in
// several processes; transactions take milliseconds. A Journal starts one goroutine, which ends with Close.
package journal
