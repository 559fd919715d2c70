package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

// FileName is the name of the journal in the state folder of a store.
const FileName = "journal.db"

// AsideMark follows FileName in the names of journals that were put aside as damaged.
const AsideMark = ".damaged-"

// Pages of the write-ahead log after which it is written back into the database: 4 MiB.
// From walMost on edits wait for that, so that a stream of them cannot make it grow for ever.
const (
	walPages = 1024
	walMost  = 8 * walPages
)

// busyWait is how long, in milliseconds, a transaction waits for one of another process. Ours
// take milliseconds; a purge or an import takes longer.
const busyWait = 10_000

// connect opens the database file at path. Every connection deletes securely, so that
// what a purge takes out is not left in free pages.
func connect(path, more string, conns int) (*sql.DB, error) {
	name := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(path))
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive letter
	}
	db, err := sql.Open("sqlite", fmt.Sprintf("file://%s?_pragma=busy_timeout(%d)&_pragma=secure_delete(1)&_pragma=temp_store(memory)%s", name, busyWait, more))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

// touch makes the file for its owner only before SQLite would make it for others too; the
// files beside it get the mode of this one.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = f.Chmod(0o600)
	}
	return errors.Join(err, f.Close())
}

// openWriter opens, and where it is new makes, the database for writing.
func openWriter(path string) (*writer, error) {
	if err := touch(path); err != nil {
		return nil, err
	}
	db, err := connect(path, "&_pragma=journal_mode(wal)&_pragma=synchronous(normal)&_pragma=wal_autocheckpoint(0)", 1)
	if err != nil {
		return nil, err
	}
	w, err := newWriter(db)
	if err == nil {
		err = w.findLog(path)
	}
	if err == nil {
		err = w.prepareSchema()
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return w, nil
}

// openReaders opens connections for reading. lone: nothing can be written beside the
// database, so that it is read without taking part in the locking.
func openReaders(path string, lone bool) (*sql.DB, error) {
	more := "&_pragma=query_only(1)"
	if lone {
		more += "&mode=ro"
		if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
			more += "&immutable=1"
		}
	}
	return connect(path, more, 4)
}

// writer is the one connection that writes. Not safe for concurrent use: Journal.mu guards it.
type writer struct {
	db         *sql.DB
	conn       *sql.Conn
	statements map[string]*sql.Stmt
	until      context.Context                   // of the transaction under way: its end fails the next statement; nil: none
	log        string                            // path of the write-ahead log, to flush it; "": there is none
	resembles  func(before, after []byte) string // of [Options]
}

func newWriter(db *sql.DB) (*writer, error) {
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	return &writer{db: db, conn: conn, statements: map[string]*sql.Stmt{}}, nil
}

// findLog finds out whether there is a write-ahead log beside the database. Where the file system
// allows none, every commit flushes.
func (w *writer) findLog(path string) error {
	var mode string
	if _, err := w.row("PRAGMA journal_mode", nil, &mode); err != nil {
		return err
	}
	if mode != "wal" {
		return w.do("PRAGMA synchronous=FULL")
	}
	w.log = path + "-wal"
	return nil
}

// flush returns when everything that is committed has reached the disk, as it does after each
// commit with "synchronous=FULL": here for those alone that need it, and without a change of the setting for
// each. SQLite keeps no locks on the log, so that another descriptor does not disturb it. Safe for concurrent use.
func (w *writer) flush() error {
	if w.log == "" {
		return nil
	}
	f, err := os.OpenFile(w.log, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
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

// do is exec for those who need no result.
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

// row reads one row; found is false where there is none.
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
// has reached the disk when tx returns; otherwise a power cut may take it back, a killed
// process not.
func (w *writer) tx(durable bool, f func() error) (err error) {
	if err := w.do("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err = f()
	w.until = nil
	if err == nil {
		err = w.do("COMMIT")
	}
	if err != nil {
		_ = w.do("ROLLBACK") // fails where SQLite has done it already
		return err
	}
	if durable {
		return w.flush()
	}
	return nil
}

// prepareSchema makes the tables of a new database and brings an old one up.
func (w *writer) prepareSchema() error {
	version, err := w.version()
	if err != nil || version == schemaVersion {
		return err
	}
	if version > schemaVersion {
		return &Error{Op: "open", Err: ErrNewer}
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
		for _, pragma := range []string{
			fmt.Sprintf("PRAGMA application_id=%d", applicationID),
			fmt.Sprintf("PRAGMA user_version=%d", schemaVersion),
		} {
			if _, err := w.conn.ExecContext(context.Background(), pragma); err != nil {
				return err
			}
		}
		return nil
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
