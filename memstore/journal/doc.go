// Package journal keeps the record of all revisions of a store, with the bytes before and after: who changed which path, when and how, so
// that changes can be read, searched and undone. It is a SQLite database in the state folder of the store, never inside the store.
//
// # How it works
//
// A [Journal] is a [memstore.Recorder]: Begin commits the revisions of an edit, open and with both sides, before the disk changes; its end
// closes them (begin.go, record.go). In between it holds the journal's lock, an empty folder in the state folder, besides that of the
// store. So an open revision that the next holder finds is of a process that died, and the disk says what became of it (recover.go).
// Changes by other programs are found by [Journal.Sync], which compares the disk with what was there last, in the same locks (sync.go).
// What an edit itself finds on the disk is recorded before it (others.go).
//
// The table revision has the changes, file what is there now, blob the bytes: stored once for equal ones, compressed, and mostly as what
// differs from the version before (db.go, file.go, blob.go). The store at an earlier revision is what is there now, with the later
// revisions taken back one after the other (tree.go).
//
// [Journal.Follow] delivers revisions as they are recorded, by this process and by others: a comparison of the files that they wrote wakes
// it.
// [Memory] is the same journal without a file, for stores whose texts must not be on the disk in the clear.
//
// # Rules
//
// Every connection deletes securely: a purge must find no copies in free pages. No index holds a second copy of text.
//
// Only SQLite opens the database's files. POSIX locks belong to a process and a file, and closing any descriptor of the file drops all of
// them: another process would then believe that the journal is not open anywhere and delete its log. So no code here or elsewhere opens a
// [DatabaseFile] while this process may have it open; what must be known about the files is found out by name (stat, chmod).
//
// It knows neither the watcher nor the screen. The database may be open in several processes;
// transactions take milliseconds.
package journal
