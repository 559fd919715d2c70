// Package journal keeps the record of all revisions of a store, with the bytes before and
// after: who changed which path, when and how, so that changes can be read, searched and
// undone. It is a SQLite database in the state folder of the store, never inside the store.
//
// # What lives here
//
// A [Journal] is a [memstore.Recorder]: Begin commits an intent with both sides before the
// disk changes, and the settler, a goroutine, turns it into revisions once the edit has ended
// (intent.go, settle.go). Changes by other programs are found by [Journal.Sync], which compares the names that a watcher passes
// with the last known state, and by [Journal.Reconcile], which compares everything: one algorithm (sync.go, compare.go,
// compare_record.go, beginning.go). Both paths end in writer.record, in a transaction that also reads the newest state and the open
// intents of the path, so that no change is recorded twice.
//
// [Journal.Follow] delivers revisions as they are recorded, by this process and by others, which ring a bell.
// [Memory] is the same journal without a file, for stores whose texts must not be on the disk in the clear.
//
// Types by what they own: writer is the one connection that writes to the tables, with entries (what was where, when); disk is the
// store's current state; settler has the intents; comparison is one Sync; prover, health and bound
// look after the files. Journal joins them. The names of the database's files are in files.go.
//
// What does not need all of these has packages of its own, which don't know Journal: sidecar (the files beside the database), database
// (a SQLite file, its connections and pages), schema (the tables), content (texts, each stored once, and the deltas between them),
// archive (all reading), purge (the rewriting).
//
// If a process is killed between the success of an edit and its settlement, a file of numbers still has that success
// ([sidecar.Endings]). The write-ahead log is checkpointed here and not by SQLite (journal.go).
//
// # Rules
//
// Bytes are stored once for equal ones, compressed; no index holds a second copy of text. A path's
// history are intervals of revisions (entry.go), so that the tree at any revision is one query.
// Every connection deletes securely: a purge must find no copies in free pages.
//
// Only SQLite opens the database's files. POSIX locks belong to a process and a file, and closing any descriptor of
// the file drops all of them: another process would then believe that the journal is not open anywhere and delete its log. So
// no code here or elsewhere opens a [DatabaseFile] while this process may have it open: [Journal.Image] reads its bytes
// through the database, and everything else about the files is found out by name (stat, chmod).
//
// Who calls it: cli and tui; policies and findings take its exported types. It imports memstore
// and render/diff, and knows neither the watcher nor the screen. The database may be open in
// several processes; transactions take milliseconds. A Journal starts one goroutine, which stops on Close.
package journal
