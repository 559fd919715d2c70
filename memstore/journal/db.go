package journal

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// schemaVersion is the number of the tables' layout, in user_version.
const schemaVersion = 16

// schema makes the tables. Times are nanoseconds since 1970, paths are relative to the store as memstore.Backend has them, kinds are those
// of memstore.Kind, modes Unix bits. Nothing was released: a change of the tables only gets a new number. A new column of revision is
// written by insert (record.go), read by scanRevision (list.go), and a field of [past.Revision]; a purge rewrites those of type TEXT.
//
// blob: bytes, once for equal ones; see blob.go. sum is their SHA-256, NULL where they were never read; data is NULL where they are not
// kept, and why says the reason.
//
// revision: one difference made to one path. A rename has the new name in path. shape is that of past.Shape; a folder has no blob on
// either side. open is 1 for an edit that is under way, or whose process died (recover.go), and readers pass over the revision; else it is
// NULL. made is how many folders above path came with it. session, model, tool and turn are of the call that made it: as the program that
// carried it out told, or as a transcript does.
//
// file: what is there now. The stamp (mtime, inode, device, as of seen) lets a comparison with the disk skip what it need not read. born to
// writes are as [past.Fact] has them; NULL: unknown.
//
// access: the agent's views of a path.
//
// grp: edits that are undone as one; id is their first revision, 0 before there is one.
const schema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE blob (
	id INTEGER PRIMARY KEY AUTOINCREMENT, sum BLOB, size INTEGER NOT NULL, base INTEGER, depth INTEGER NOT NULL DEFAULT 0, data BLOB, why TEXT
);
CREATE UNIQUE INDEX blob_sum ON blob (sum) WHERE sum IS NOT NULL;
CREATE INDEX blob_base ON blob (base) WHERE base IS NOT NULL;
CREATE TABLE revision (
	rev INTEGER PRIMARY KEY AUTOINCREMENT, open INTEGER,
	time INTEGER NOT NULL, actor TEXT NOT NULL, command TEXT NOT NULL, kind INTEGER NOT NULL, shape INTEGER NOT NULL,
	path TEXT NOT NULL, old_path TEXT, made INTEGER NOT NULL,
	before INTEGER, after INTEGER, before_mode INTEGER, after_mode INTEGER, before_mtime INTEGER, after_mtime INTEGER,
	added INTEGER NOT NULL, removed INTEGER NOT NULL,
	session TEXT, model TEXT, tool TEXT, process TEXT,
	grp INTEGER, unread INTEGER NOT NULL, note TEXT,
	undoes INTEGER, undone_by INTEGER, turn INTEGER
);
CREATE INDEX revision_path ON revision (path, rev);
CREATE INDEX revision_old_path ON revision (old_path, rev) WHERE old_path IS NOT NULL;
CREATE INDEX revision_grp ON revision (grp) WHERE grp IS NOT NULL;
CREATE INDEX revision_open ON revision (rev) WHERE open IS NOT NULL;
CREATE INDEX revision_unread ON revision (rev) WHERE unread = 1;
CREATE INDEX revision_curator ON revision (rev) WHERE actor = 'curator';
CREATE INDEX revision_before ON revision (before) WHERE before IS NOT NULL;
CREATE INDEX revision_after ON revision (after) WHERE after IS NOT NULL;
CREATE TABLE file (
	path TEXT PRIMARY KEY, kind INTEGER NOT NULL, blob INTEGER, size INTEGER NOT NULL, mode INTEGER,
	mtime INTEGER, inode INTEGER, device INTEGER, seen INTEGER,
	born INTEGER, changed INTEGER, moved INTEGER, restored INTEGER, written INTEGER, writes INTEGER
) WITHOUT ROWID;
CREATE INDEX file_blob ON file (blob) WHERE blob IS NOT NULL;
CREATE TABLE access (path TEXT PRIMARY KEY, views INTEGER NOT NULL, last INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE grp (name TEXT PRIMARY KEY, id INTEGER NOT NULL, title TEXT) WITHOUT ROWID;
CREATE INDEX grp_id ON grp (id) WHERE id > 0;
`

// Keys of table meta.
const (
	metaBegan  = "began"  // when everything that was there at the beginning had been listed
	metaDevice = "device" // of the store's directory at the last full comparison
	metaFlags  = "flags"  // counts the changes to recorded revisions
	metaPurges = "purges" // how many there were: a change means that copies in memory must be read again
	metaPurged = "purged" // when the newest one had rewritten everything
	metaFloor  = "floor"  // the last revision that was pruned
	metaPruned = "pruned" // when the journal was last pruned
)

// busyWait is how long, in milliseconds, a transaction waits for another process's transaction. Ours take milliseconds; a purge takes
// longer.
const busyWait = 10_000

// inMemory begins the source of a database in memory, which is freed with its last connection. There it has no write-ahead log: a commit
// waits for readers, so no code may call the journal while it has rows open.
const inMemory = "file:/"

func memorySource() string { return inMemory + rand.Text() + "?vfs=memdb" }

// fileURI is the name of a file as SQLite takes it with settings behind it.
func fileURI(path string) string {
	name := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(path))
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive letter
	}
	return "file://" + name
}

// connect opens the database file at path, or the one in memory that path is the source of. Every connection deletes securely: what a
// purge removes must not stay in free pages.
func connect(path, more string, conns int) (*sql.DB, error) {
	source := path + "&"
	if !strings.HasPrefix(path, inMemory) {
		source = fileURI(path) + "?"
	}
	db, err := sql.Open("sqlite", fmt.Sprintf("%s_pragma=busy_timeout(%d)&_pragma=secure_delete(1)&_pragma=temp_store(memory)%s",
		source, busyWait, more))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

// logSuffix follows the name of a database in that of its write-ahead log, where what is new comes first.
const logSuffix = "-wal"

// openReaders opens connections for reading. lone: nothing can be written beside the database, so that it is read without taking part in
// the locking.
func openReaders(path string, lone bool) (*sql.DB, error) {
	more := "&_pragma=query_only(1)"
	if lone {
		more += "&mode=ro"
		if _, err := os.Stat(path + logSuffix); errors.Is(err, os.ErrNotExist) {
			more += "&immutable=1"
		}
	}
	return connect(path, more, 4)
}

// writer is the one connection that writes. Not safe for concurrent use: Journal.mu guards it. The first error stays until [writer.end]:
// what follows it does nothing and finds nothing, so the steps of a transaction need not check each other. Whoever acts outside the
// database, or loops until something is found, looks at err.
type writer struct {
	db         *sql.DB
	conn       *sql.Conn
	statements map[string]*sql.Stmt
	ctx        context.Context // of the transaction under way: its end fails the next statement
	err        error           // the first one
	logs       bool            // ahead: only then durable commits differ from others, which do not flush

	flagged bool // recorded revisions change in the transaction under way
}

// openWriter opens, and where it is missing makes, the database at path, or one in memory.
func openWriter(path string) (*writer, error) {
	db, err := connect(path, "", 1)
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	w := &writer{db: db, conn: conn, statements: map[string]*sql.Stmt{}, ctx: context.Background()}
	if !strings.HasPrefix(path, inMemory) {
		err = ownerOnly(path)
	}
	if err == nil {
		err = w.prepare()
	}
	if err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// ownerOnly takes the rights of others from the file at path, by its name: the files beside it get its mode. To open it and close it again
// would drop the locks that SQLite holds on it (see doc.go).
func ownerOnly(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(path, 0o600)
	}
	return err
}

// prepare has the database use a write-ahead log, where the file system allows one, and makes the tables of a new one.
func (w *writer) prepare() error {
	var mode string
	w.run("PRAGMA synchronous=NORMAL") // first: it spares the change of the mode a flush
	w.row("PRAGMA journal_mode=wal", nil, &mode)
	if w.logs = mode == "wal"; !w.logs {
		w.run("PRAGMA synchronous=FULL")
	}
	switch version := w.version(); {
	case w.err != nil, version == schemaVersion:
		return w.end()
	case version > 0:
		return &past.Error{Err: ErrVersion}
	}
	return w.tx(context.Background(), false, func() {
		if w.version() == schemaVersion {
			return // another process was quicker
		}
		w.run(schema)
		w.run(fmt.Sprintf("PRAGMA user_version=%d", schemaVersion))
	})
}

func (w *writer) version() (version int) {
	w.row("PRAGMA user_version", nil, &version)
	return version
}

func (w *writer) close() error {
	for _, s := range w.statements {
		_ = s.Close()
	}
	return errors.Join(w.conn.Close(), w.db.Close())
}

// fail notes an error, unless there is one.
func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// end returns the first error, and forgets it.
func (w *writer) end() (err error) {
	err, w.err = w.err, nil
	return err
}

// run executes statements that are not kept, as pragmas, which SQLite sets while it compiles them.
func (w *writer) run(statements string) {
	if w.err == nil {
		_, w.err = w.conn.ExecContext(context.Background(), statements)
	}
}

// prepared keeps statements: their texts are constants, so there are few. It is nil after an error.
func (w *writer) prepared(query string) *sql.Stmt {
	s := w.statements[query]
	if s == nil && w.err == nil {
		if s, w.err = w.conn.PrepareContext(context.Background(), query); w.err == nil {
			w.statements[query] = s
		}
	}
	if w.err != nil {
		return nil
	}
	return s
}

// do executes a statement; it returns nil after an error.
func (w *writer) do(query string, args ...any) sql.Result {
	w.fail(w.ctx.Err())
	s := w.prepared(query)
	if s == nil {
		return nil
	}
	r, err := s.ExecContext(context.Background(), args...)
	w.fail(err)
	return r
}

// insertRow returns the number of the new row.
func (w *writer) insertRow(query string, args ...any) (id int64) {
	if r := w.do(query, args...); r != nil {
		id, w.err = r.LastInsertId()
	}
	return id
}

// row reads one row; found is false if there is none, and into stays as it is.
func (w *writer) row(query string, args []any, into ...any) (found bool) {
	s := w.prepared(query)
	if s == nil {
		return false
	}
	err := s.QueryRowContext(context.Background(), args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false
	}
	w.fail(err)
	return err == nil
}

// query is for [each], which closes the rows.
func (w *writer) query(query string, args ...any) (*sql.Rows, error) {
	s := w.prepared(query)
	if s == nil {
		return nil, w.err
	}
	return s.QueryContext(context.Background(), args...)
}

// values reads a query for one column.
func values[T any](w *writer, query string, args ...any) []T {
	list, err := column[T](w.query(query, args...))
	w.fail(err)
	return list
}

// set writes a value of meta.
func (w *writer) set(key string, value any) {
	w.do("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
}

// flag notes that this transaction changes recorded revisions.
func (w *writer) flag() { w.flagged = true }

// tx runs f in a transaction that holds the write lock from its beginning. durable: it has reached the disk when tx returns, and so has
// all that was committed before; otherwise a power cut may undo it, a killed process cannot. The end of ctx before f returns fails it.
func (w *writer) tx(ctx context.Context, durable bool, f func()) (err error) {
	if durable && w.logs {
		w.run("PRAGMA synchronous=FULL")
		defer func() {
			w.run("PRAGMA synchronous=NORMAL")
			err = errors.Join(err, w.end())
		}()
	}
	if w.do("BEGIN IMMEDIATE"); w.err != nil {
		return w.end()
	}
	w.ctx, w.flagged = ctx, false
	f()
	w.ctx = context.Background()
	if w.flagged {
		w.do("INSERT INTO meta (key, value) VALUES (?, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1", metaFlags)
	}
	w.do("COMMIT")
	if err = w.end(); err != nil {
		w.do("ROLLBACK")
		_ = w.end() // where SQLite has done it already
	}
	return err
}

// truncateLog writes the log back and empties it; ErrBusy where another connection reads an older state.
func (w *writer) truncateLog() {
	var busy, logged, done int
	if w.row("PRAGMA wal_checkpoint(TRUNCATE)", nil, &busy, &logged, &done); busy != 0 {
		w.fail(&past.Error{Err: past.ErrBusy})
	}
}

// each takes what a query returns, calls visit for one row after the other until it returns an error, which each returns then, and closes
// the rows.
func each(rows *sql.Rows, err error, visit func(row *sql.Rows) error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := visit(rows); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// column reads the rows of a query for one column.
func column[T any](rows *sql.Rows, err error) (list []T, _ error) {
	err = each(rows, err, func(row *sql.Rows) error {
		var v T
		err := row.Scan(&v)
		list = append(list, v)
		return err
	})
	return list, err
}

// null is NULL for the zero value.
func null[T comparable](v T) any {
	var none T
	if v == none {
		return nil
	}
	return v
}

// nanos is a time as the tables have it, NULL for none.
func nanos(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

// timeOf is the time of a column that may be NULL, then zero.
func timeOf(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return time.Unix(0, n.Int64)
}

// textMost is how many bytes of a caller's text are kept: sessions, models, ids of calls, names of actors, commands and groups. An agent
// chooses some of them, and they are kept with every edit. Paths have their own limit.
const textMost = 256

// cut is the beginning of a text, up to textMost and whole runes.
func cut(s string) string {
	if len(s) <= textMost {
		return s
	}
	end := textMost
	for end > textMost-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// inside reports whether name is below the folder dir.
func inside(name, dir string) bool {
	return dir == "." && name != "." || strings.HasPrefix(name, dir+"/")
}

// moved is name after the folder or file from, which it is or is below, went to another name.
func moved(name, from, to string) string { return to + name[len(from):] }

// below are the bounds of all names below the folder dir, the second one excluded: "0" follows "/".
func below(dir string) (from, to string) {
	if dir == "." {
		return "", "\xff\xff\xff\xff"
	}
	return dir + "/", dir + "0"
}

// parents are the folders above name, the topmost first, without the root.
func parents(name string) []string {
	var list []string
	for i, c := range name {
		if c == '/' {
			list = append(list, name[:i])
		}
	}
	return list
}

// The sentinels of the package, for errors.Is. Their texts are the end of a sentence ("Can't open it: the journal is damaged"); none holds
// a host path.
var (
	ErrVersion = errors.New("another version wrote the journal")
	errNone    = errors.New("no journal yet")

	// errEmptied is of a store whose files are all gone; see [Journal.Emptied].
	errEmptied = errors.New("all files of the store are gone")
)

// sentinels by the primary result code of SQLite.
var sentinels = map[int]error{
	sqlite3.SQLITE_CORRUPT:  past.ErrCorrupt,
	sqlite3.SQLITE_NOTADB:   past.ErrCorrupt,
	sqlite3.SQLITE_FORMAT:   past.ErrCorrupt,
	sqlite3.SQLITE_READONLY: past.ErrReadOnly,
	sqlite3.SQLITE_PERM:     past.ErrReadOnly,
	sqlite3.SQLITE_CANTOPEN: past.ErrReadOnly,
	sqlite3.SQLITE_FULL:     memstore.ErrNoSpace,
	sqlite3.SQLITE_IOERR:    past.ErrDevice,
	sqlite3.SQLITE_BUSY:     past.ErrBusy,
	sqlite3.SQLITE_LOCKED:   past.ErrBusy,
}

// failed wraps an error of the database or the system with its sentinel.
func failed(err error) error {
	var known *past.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	var db *sqlite.Error
	if errors.As(err, &db) {
		sentinel := sentinels[db.Code()&0xff]
		if db.Code() == sqlite3.SQLITE_IOERR_SHMSIZE { // the file that processes share memory by cannot grow
			sentinel = memstore.ErrNoSpace
		}
		if sentinel != nil {
			return &past.Error{Err: sentinel, Cause: err}
		}
		return &past.Error{Err: err}
	}
	return past.Failed(err)
}
