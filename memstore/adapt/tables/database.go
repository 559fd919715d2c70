package tables

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"

	_ "modernc.org/sqlite" // the driver
)

// walSuffix is that of the log which SQLite keeps beside a database whose program uses one.
const walSuffix = "-wal"

// Why a database can't be read.
var (
	errNotDatabase = adapt.Unreadable(backend.ErrNotRegular, "The file is not an SQLite database, or only half of one was written")
	errDamaged     = adapt.Unreadable(backend.ErrDamaged,
		"The database is damaged, or only half of one was written: look again, or restore a copy of before")
)

// database is a database of another program at one moment, as bytes that are queried in memory. SQLite never gets its path: it would write
// beside the file, or recover what its program is still writing. It is immutable.
type database struct {
	data []byte // with what the log beside it had, once that was committed
	// digest identifies the bytes on disk, those of the log included, within this process.
	digest string
	// logged says that the program keeps a log beside the database.
	logged bool
}

// readDatabase reads a database whole, with the log beside it.
func readDatabase(ctx context.Context, path string) (b database, err error) {
	files, err := adapt.Read(ctx, isDatabase, path, path+walSuffix)
	if err != nil {
		return b, err
	}
	data, log := files[0], files[1]
	if !isDatabase(data) {
		return b, errNotDatabase
	}
	b = database{data: data, digest: adapt.Digest(data) + adapt.Digest(log), logged: data[readVersion] == withLog}
	if !b.logged {
		return b, nil
	}
	if len(log) > 0 {
		if b.data, err = merged(ctx, data, log); err != nil {
			return database{}, err
		}
	}
	// In memory there is no log: SQLite opens only a database that says so.
	b.data[writeVersion], b.data[readVersion] = 1, 1
	return b, nil
}

// merged returns a database with what its log has committed. SQLite merges copies of both, which are gone afterwards.
func merged(ctx context.Context, data, log []byte) (_ []byte, err error) {
	dir, err := os.MkdirTemp("", "memcurator-database-") // 0700
	if err != nil {
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "copy.db")
	if err := errors.Join(os.WriteFile(file, data, 0o600), os.WriteFile(file+walSuffix, log, 0o600)); err != nil {
		return nil, fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(file)}).String())
	if err != nil {
		return nil, fmt.Errorf("open a copy: %w", err)
	}
	_, err = db.ExecContext(ctx, "PRAGMA trusted_schema = OFF; PRAGMA wal_checkpoint(TRUNCATE)")
	if closeErr := db.Close(); err != nil || closeErr != nil {
		return nil, cmp.Or(ctx.Err(), errDamaged)
	}
	return os.ReadFile(file)
}

// open opens a copy of the bytes in memory. What is written to it stays there.
func (b database) open(ctx context.Context) (*sql.DB, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("open a database in memory: %w", err)
	}
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	db.SetMaxIdleConns(1)
	db.SetConnMaxIdleTime(0)
	db.SetConnMaxLifetime(0)
	err = raw(ctx, db, func(c driver.Conn) error {
		return c.(interface{ Deserialize([]byte) error }).Deserialize(b.data)
	})
	if err == nil {
		// The schema of a stranger's file may name functions and virtual tables: nothing of it is to run.
		_, err = db.ExecContext(ctx, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
	}
	var tables int
	if err == nil {
		err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables)
	}
	if err == nil {
		return db, nil
	}
	_ = db.Close() // nothing was written
	return nil, cmp.Or(ctx.Err(), errDamaged)
}

// serialize returns the bytes that a file with the database has.
func serialize(ctx context.Context, db *sql.DB) (data []byte, err error) {
	err = raw(ctx, db, func(c driver.Conn) error {
		data, err = c.(interface{ Serialize() ([]byte, error) }).Serialize()
		return err
	})
	return data, err
}

func raw(ctx context.Context, db *sql.DB, do func(driver.Conn) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // it returns to the pool
	return conn.Raw(func(c any) error { return do(c.(driver.Conn)) })
}

// rowsOf reads a table: the columns that it stores, in their order, none if the database has no such table, and its rows. With an error,
// there are those that could be read. A view or a virtual table of that name isn't a table: to read it would run what its schema says.
func rowsOf(ctx context.Context, db *sql.DB, t *table) (columns []string, list []*row, err error) {
	rows, err := db.QueryContext(ctx, `SELECT name FROM pragma_table_info(?1)
		WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND lower(name) = lower(?1) AND rootpage > 0)`, t.name)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, nil, err
		}
		columns = append(columns, name)
	}
	if err := rows.Err(); err != nil || len(columns) == 0 {
		return nil, nil, err
	}
	if rows, err = db.QueryContext(ctx, `SELECT "`+strings.Join(columns, `", "`)+`" FROM "`+t.name+`"`); err != nil {
		return columns, nil, err
	}
	defer rows.Close()
	cells, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return columns, list, err
		}
		r := &row{table: t, values: make(map[string]string, len(columns))}
		for i, column := range columns {
			r.put(column, cells[i])
		}
		list = append(list, r)
	}
	return columns, list, rows.Err()
}

// put sets a value as SQLite gives it. Text that a text can't show as it is fixes the row.
func (r *row) put(column string, cell any) {
	odd := false
	switch cell := cell.(type) {
	case nil:
		return
	case float64:
		r.values[column] = numberText(cell)
	case []byte:
		r.values[column], odd = string(cell), true
	default:
		r.values[column] = fmt.Sprint(cell)
	}
	if v := r.values[column]; !utf8.ValidString(v) {
		r.values[column], odd = strings.ToValidUTF8(v, "\ufffd"), true
	}
	if odd {
		r.fixed = whyOdd(column)
	}
}

// hasTables reports whether the file at a path is a database with some tables.
func hasTables(path string, tables ...string) bool {
	ctx := context.Background()
	if head, err := adapt.Head(path, headerSize); err != nil || !isDatabase(head) {
		return false
	}
	b, err := readDatabase(ctx, path)
	if err != nil {
		return false
	}
	db, err := b.open(ctx)
	if err != nil {
		return false
	}
	defer func() { _ = db.Close() }() // it is only memory
	for _, table := range tables {
		var there int
		err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", table).Scan(&there)
		if err != nil || there == 0 {
			return false
		}
	}
	return true
}

// The header of a database, by the documentation of the file format.
const (
	magic        = "SQLite format 3\x00"
	headerSize   = 100
	writeVersion = 18
	readVersion  = 19
	withLog      = 2 // the version of databases that have a log
)

func isDatabase(data []byte) bool {
	return len(data) >= headerSize && bytes.HasPrefix(data, []byte(magic))
}
