package journal

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"memcurator/memstore/journal/sidecar"
	"memcurator/memstore/past"
)

// Pages of the write-ahead log after which it is written back into the database: 4 MiB.
// From walMost on edits wait for that, so that a stream of them cannot make it grow without bound.
const (
	walPages = 1024
	walMost  = 8 * walPages
)

// busyWait is how long, in milliseconds, a transaction waits for one of another process. Ours
// take milliseconds; a purge or an import takes longer.
const busyWait = 10_000

// inMemory begins the source of a database in memory, which is freed with its last connection.
const inMemory = "file:/"

// memorySource is a new database in memory. There it has no write-ahead log: a commit waits for readers, so
// no code may call the journal while it has rows open.
func memorySource() string { return inMemory + rand.Text() + "?vfs=memdb" }

// fileURI is the name of a file as SQLite takes it with settings behind it.
func fileURI(path string) string {
	name := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(path))
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive letter
	}
	return "file://" + name
}

// connect opens the database file at path, or the one in memory that path is the source of. Every connection deletes securely, so that
// what a purge takes out is not left in free pages.
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

// ownerOnly takes the rights of others from the file at path, by its name: the files beside it get its
// mode. To open it and close it again would drop the locks that SQLite holds on it (see doc.go).
func ownerOnly(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(path, 0o600)
	}
	return err
}

// openFile opens, and where it is missing makes, the database file, of which nothing is read yet.
func openFile(path string) (*writer, error) {
	db, err := connect(path, "", 1)
	if err != nil {
		return nil, err
	}
	w, err := newWriter(db)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	w.path = path
	if strings.HasPrefix(path, inMemory) {
		return w, nil
	}
	if err := ownerOnly(path); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// openWriter opens, and where it is missing makes, the database for writing.
// had is what the proof says of it.
func openWriter(path string, had sidecar.Proof) (*writer, error) {
	w, err := openFile(path)
	if err != nil {
		return nil, err
	}
	if err := w.prepare(had); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// openReaders opens connections for reading. lone: nothing can be written beside the
// database, so that it is read without taking part in the locking.
func openReaders(path string, lone bool) (*sql.DB, error) {
	more := "&_pragma=query_only(1)"
	if lone {
		more += "&mode=ro"
		if _, err := os.Stat(path + logSuffix); errors.Is(err, fs.ErrNotExist) {
			more += "&immutable=1"
		}
	}
	return connect(path, more, 4)
}

// writer is the one connection that writes. Not safe for concurrent use: Journal.mu guards it.
type writer struct {
	path       string // of the database
	db         *sql.DB
	conn       *sql.Conn
	statements map[string]*sql.Stmt
	until      context.Context // of the transaction under way: its end fails the next statement; nil: none
	flushes    bool            // durable commits are to be told apart: the others do not flush
	stored     int64           // bytes of contents that were added
	flagged    bool            // recorded revisions change in the transaction under way
	blobs      blobs           // the contents
	entries    entries
	rings      bool // it has something that others wait for
}

func newWriter(db *sql.DB) (*writer, error) {
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	w := &writer{db: db, conn: conn, statements: map[string]*sql.Stmt{}}
	w.blobs.w, w.entries.w = w, w
	return w, nil
}

// prepare makes a database that openFile has opened ready for writing, unless it is damaged.
func (w *writer) prepare(had sidecar.Proof) error {
	var mode string
	if _, err := w.row("PRAGMA journal_mode=wal", nil, &mode); err != nil {
		return err
	}
	if mode == "wal" { // where the file system allows no write-ahead log, every commit flushes
		w.flushes = true
		if err := w.pragmas("PRAGMA synchronous=NORMAL", "PRAGMA wal_autocheckpoint=0"); err != nil {
			return err
		}
	}
	version, err := w.version()
	switch {
	case err != nil:
		return err
	case version > schemaVersion:
		return &past.Error{Op: "open", Err: ErrNewer}
	case version > 0:
		if err := lookOver(w.conn, had); err != nil {
			return err
		}
		if version < schemaVersion {
			if err := w.copyBefore(); err != nil {
				return err
			}
		}
	case had.ID != "":
		return &Lost{Had: had.Last}
	}
	return w.prepareSchema()
}

// pragmas sets what SQLite sets while it compiles a statement, so that a statement kept would set nothing the second time.
func (w *writer) pragmas(list ...string) error {
	for _, pragma := range list {
		if _, err := w.conn.ExecContext(context.Background(), pragma); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) close() error {
	for _, s := range w.statements {
		_ = s.Close()
	}
	return errors.Join(w.conn.Close(), w.db.Close())
}

// prepared keeps statements: their texts are constants of this package, so there are few.
func (w *writer) prepared(query string) (*sql.Stmt, error) {
	if s := w.statements[query]; s != nil {
		return s, nil
	}
	s, err := w.conn.PrepareContext(context.Background(), query)
	if err == nil {
		w.statements[query] = s
	}
	return s, err
}

func (w *writer) exec(query string, args ...any) (sql.Result, error) {
	if w.until != nil && w.until.Err() != nil {
		return nil, w.until.Err()
	}
	s, err := w.prepared(query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(context.Background(), args...)
}

// do is exec without a result.
func (w *writer) do(query string, args ...any) error {
	_, err := w.exec(query, args...)
	return err
}

// insert is exec that returns the number of the new row.
func (w *writer) insert(query string, args ...any) (int64, error) {
	r, err := w.exec(query, args...)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// row reads one row; found is false if there is none.
func (w *writer) row(query string, args []any, into ...any) (found bool, err error) {
	s, err := w.prepared(query)
	if err != nil {
		return false, err
	}
	err = s.QueryRowContext(context.Background(), args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func (w *writer) query(query string, args ...any) (*sql.Rows, error) {
	s, err := w.prepared(query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(context.Background(), args...)
}

// tx runs f in a transaction that holds the write lock from its beginning. durable: it
// has reached the disk when tx returns, and so has all that was committed before; otherwise a power cut may
// undo it, a killed process cannot.
func (w *writer) tx(durable bool, f func() error) (err error) {
	if durable && w.flushes {
		if err := w.pragmas("PRAGMA synchronous=FULL"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, w.pragmas("PRAGMA synchronous=NORMAL")) }()
	}
	if err := w.do("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	w.flagged, w.rings = false, false
	err = f()
	w.until = nil
	if err == nil {
		err = w.countFlags()
	}
	if err == nil {
		err = w.do("COMMIT")
	}
	if err != nil {
		_ = w.do("ROLLBACK") // fails where SQLite has done it already
	}
	return err
}

// prepareSchema makes the tables of a new database and brings an old one up.
func (w *writer) prepareSchema() error {
	version, err := w.version()
	if err != nil || version == schemaVersion {
		return err
	}
	return w.tx(true, func() error {
		version, err := w.version()
		if err != nil || version == schemaVersion {
			return err // another process was quicker
		}
		todo := []migration{{statements: schema}}
		if version > 0 {
			todo = migrations[version-1:]
		}
		for _, m := range todo {
			if err := w.migrate(m); err != nil {
				return err
			}
		}
		return w.pragmas(fmt.Sprintf("PRAGMA application_id=%d", applicationID), fmt.Sprintf("PRAGMA user_version=%d", schemaVersion))
	})
}

func (w *writer) migrate(m migration) error {
	for _, statement := range strings.Split(m.statements, ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if _, err := w.conn.ExecContext(context.Background(), statement); err != nil {
			return err
		}
	}
	if m.fill == nil {
		return nil
	}
	return m.fill(w)
}

func (w *writer) version() (int, error) {
	var version int
	_, err := w.row("PRAGMA user_version", nil, &version)
	return version, err
}

// set writes a value of meta.
func (w *writer) set(key string, value any) error {
	return w.do("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
}
