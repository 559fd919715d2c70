// Package journal keeps the record of all revisions of a store, with the bytes before and
// after: who changed which path, when and how, so that changes can be read, searched and
// undone. It is a SQLite database in the state folder of the store, never inside the store.
//
// # What lives here
//
// A [Journal] is a [memstore.Recorder]: Begin commits the revisions of an edit, open and with both sides, before the disk changes; its
// end closes them (begin.go). In between it holds the journal's lock, an empty folder in the state folder, besides that of the store. So
// an open revision that the next holder finds is of a process that died, and the disk says what became of it (recover.go). Changes by
// other programs are found by [Journal.Sync], which compares the names that a watcher passes with the last known state, and by
// [Journal.Reconcile], which compares everything: one algorithm, in the same locks (sync.go, compare.go, beginning.go). What an edit
// itself finds on the disk is recorded before it (catchup.go).
//
// [Journal.Follow] delivers revisions as they are recorded, by this process and by others, which ring a bell.
// [Memory] is the same journal without a file, for stores whose texts must not be on the disk in the clear.
//
// Types by what they own: tableWriter is the one connection that writes to the tables, with entries (what was where, when); disk is the
// store's current state; comparison is one Sync; health, Copies and pruner look after the files. Journal joins them. The names of the
// database's files are in files.go.
//
// What does not need all of these has packages of its own, which don't know Journal: sidecar (the bell), database
// (a SQLite file, its connections and pages), schema (the tables), content (texts, each stored once, and the deltas between them),
// archive (all reading), purge (the rewriting).
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
// several processes; transactions take milliseconds.
package journal
