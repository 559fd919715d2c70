// Package database is one SQLite file, or one in memory: the connection that writes ([Writer]), those that read ([Pool]), checks of
// its pages, its bytes ([ReadImage]), and the handling of its errors. It knows nothing of tables.
//
// Every connection deletes securely: what is deleted leaves no copy in free pages. No code but SQLite opens the files of a database
// that is open: see package journal.
package database

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"memcurator/memstore/past"
)

// busyWait is how long, in milliseconds, a transaction waits for another process's transaction. Ours
// take milliseconds; a purge or an import takes longer.
const busyWait = 10_000

// inMemory begins the source of a database in memory, which is freed with its last connection.
const inMemory = "file:/"

// MemorySource is a new database in memory. There it has no write-ahead log: a commit waits for readers, so
// no code may call the journal while it has rows open.
func MemorySource() string { return inMemory + rand.Text() + "?vfs=memdb" }

// fileURI is the name of a file as SQLite takes it with settings behind it.
func fileURI(path string) string {
	name := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.ToSlash(path))
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive letter
	}
	return "file://" + name
}

// connect opens the database file at path, or the one in memory that path is the source of. Every connection deletes securely, so that
// what a purge removes does not stay in free pages.
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

// Writer is the one connection that writes. Not safe for concurrent use.
type Writer struct {
	Path       string // of the database
	db         *sql.DB
	Conn       *sql.Conn
	statements map[string]*sql.Stmt
	ctx        context.Context // of the transaction under way: its end fails the next statement
	flushes    bool            // distinguish durable commits: the others do not flush
}

// Open opens, and where it is missing makes, the file at path, of which nothing is read yet, or a database in memory.
func Open(path string) (*Writer, error) {
	db, err := connect(path, "", 1)
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	w := &Writer{Path: path, db: db, Conn: conn, statements: map[string]*sql.Stmt{}, ctx: context.Background()}
	if strings.HasPrefix(path, inMemory) {
		return w, nil
	}
	if err := ownerOnly(path); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// LogAhead has the database use a write-ahead log, where the file system allows one.
func (w *Writer) LogAhead() error {
	var mode string
	if _, err := w.Row("PRAGMA journal_mode=wal", nil, &mode); err != nil {
		return err
	}
	if mode == "wal" { // where the file system allows no write-ahead log, every commit flushes
		w.flushes = true
		if err := w.Run("PRAGMA synchronous=NORMAL"); err != nil {
			return err
		}
	}
	return nil
}

// Run executes statements that are not kept: those of a migration, and pragmas, which SQLite sets while it compiles them.
func (w *Writer) Run(list ...string) error {
	for _, statement := range list {
		if _, err := w.Conn.ExecContext(context.Background(), statement); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) Close() error {
	for _, s := range w.statements {
		_ = s.Close()
	}
	return errors.Join(w.Conn.Close(), w.db.Close())
}

// prepared keeps statements: their texts are constants, so there are few.
func (w *Writer) prepared(query string) (*sql.Stmt, error) {
	if s := w.statements[query]; s != nil {
		return s, nil
	}
	s, err := w.Conn.PrepareContext(context.Background(), query)
	if err == nil {
		w.statements[query] = s
	}
	return s, err
}

func (w *Writer) Exec(query string, args ...any) (sql.Result, error) {
	if w.ctx.Err() != nil {
		return nil, w.ctx.Err()
	}
	s, err := w.prepared(query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(context.Background(), args...)
}

// Do is exec without a result.
func (w *Writer) Do(query string, args ...any) error {
	_, err := w.Exec(query, args...)
	return err
}

// Insert is exec that returns the number of the new row.
func (w *Writer) Insert(query string, args ...any) (int64, error) {
	r, err := w.Exec(query, args...)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// Row reads one row; found is false if there is none.
func (w *Writer) Row(query string, args []any, into ...any) (found bool, err error) {
	return w.Scan(query, args, func(scan func(into ...any) error) error { return scan(into...) })
}

// Scan is Row for what reads more than one kind of rows.
func (w *Writer) Scan(query string, args []any, read func(scan func(into ...any) error) error) (found bool, err error) {
	s, err := w.prepared(query)
	if err != nil {
		return false, err
	}
	err = read(s.QueryRowContext(context.Background(), args...).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func (w *Writer) Query(query string, args ...any) (*sql.Rows, error) {
	s, err := w.prepared(query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(context.Background(), args...)
}

// IDs reads a list of numbers.
func (w *Writer) IDs(query string, args ...any) ([]int64, error) {
	return List[int64](w.Query(query, args...))
}

// Transact runs f in a transaction that holds the write lock from its beginning. durable: it
// has reached the disk when transact returns, and so has all that was committed before; otherwise a power cut may
// undo it, a killed process cannot. The end of ctx before f returns fails it.
func (w *Writer) Transact(ctx context.Context, durable bool, f func() error) (err error) {
	if durable && w.flushes {
		if err := w.Run("PRAGMA synchronous=FULL"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, w.Run("PRAGMA synchronous=NORMAL")) }()
	}
	if err := w.Do("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	w.ctx = ctx
	err = f()
	w.ctx = context.Background()
	if err == nil {
		err = w.Do("COMMIT")
	}
	if err != nil {
		_ = w.Do("ROLLBACK") // fails where SQLite has done it already
	}
	return err
}

func (w *Writer) Version() (int, error) {
	var version int
	_, err := w.Row("PRAGMA user_version", nil, &version)
	return version, err
}

// TruncateLog writes the log back and empties it; ErrBusy where another connection reads an older state.
func (w *Writer) TruncateLog() error {
	var busy, logged, done int
	if _, err := w.Row("PRAGMA wal_checkpoint(TRUNCATE)", nil, &busy, &logged, &done); err != nil {
		return err
	}
	if busy != 0 {
		return &past.Error{Op: "checkpoint", Err: past.ErrBusy}
	}
	return nil
}
