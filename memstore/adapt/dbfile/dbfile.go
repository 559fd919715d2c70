// Package dbfile reads SQLite databases of other programs as bytes, and queries the bytes in memory. SQLite never gets their path: it would
// write beside the file, or recover what its program is still writing. Nothing of theirs changes, not even the time of last access.
package dbfile

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
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"

	_ "modernc.org/sqlite" // the driver
)

// Suffix of the log that SQLite keeps beside a database whose program uses one.
const walSuffix = "-wal"

const (
	// agreePatience is how long a file may keep changing between two reads; a program writes it in milliseconds.
	agreePatience = 3 * time.Second
	agreePause    = 20 * time.Millisecond
	// emptyPatience is how long a file may be empty: its program writes it.
	emptyPatience = 500 * time.Millisecond
)

// Why a database can't be read.
var (
	// ErrNotDatabase means that a file isn't a database of SQLite.
	ErrNotDatabase = adapt.Unreadable(backend.ErrNotRegular, "The file is not an SQLite database, or only half of one was written")
	errDamaged     = adapt.Unreadable(backend.ErrDamaged,
		"The database is damaged, or only half of one was written: look again, or restore a copy of before")
	errBusy = adapt.Unreadable(backend.ErrBusy, "The file keeps changing while it is read; try again")
)

// Bytes is a database at one moment. It is immutable.
type Bytes struct {
	Data []byte // with what the log beside it had, once that was committed
	// Digest identifies the bytes on disk, those of the log included, within this process.
	Digest string
	// Logged says that the program keeps a log beside the database.
	Logged bool
}

// Read reads a database whole, with the log beside it, until two reads agree: a program writes the file over, and empties it first.
func Read(ctx context.Context, path string) (Bytes, error) {
	began := time.Now()
	var last copied
	for first := true; ; first = false {
		next, err := once(path)
		switch {
		case errors.Is(err, ErrNotDatabase) && len(next.data) == 0 && time.Since(began) < emptyPatience:
		case err != nil:
			return Bytes{}, err
		case !first && next.same(last):
			return next.bytes(ctx)
		case !first && time.Since(began) > agreePatience: // a first read of a large file takes long by itself
			return Bytes{}, errBusy
		}
		last = next
		select {
		case <-ctx.Done():
			return Bytes{}, ctx.Err()
		case <-time.After(agreePause):
		}
	}
}

// copied is what one read of the files gave.
type copied struct{ data, log []byte }

func (c copied) same(d copied) bool {
	return bytes.Equal(c.data, d.data) && bytes.Equal(c.log, d.log)
}

// once reads the files.
func once(path string) (c copied, err error) {
	if c.data, _, err = adapt.ReadFile(path); err != nil {
		return c, err
	}
	if !isDatabase(c.data) {
		return c, ErrNotDatabase
	}
	if usesLog(c.data) {
		c.log, _, err = adapt.ReadFile(path + walSuffix)
		if errors.Is(err, backend.ErrNotExist) {
			err = nil
		}
	}
	return c, err
}

func (c copied) bytes(ctx context.Context) (b Bytes, err error) {
	b = Bytes{Data: c.data, Digest: adapt.Digest(c.data) + adapt.Digest(c.log), Logged: usesLog(c.data)}
	if !b.Logged {
		return b, nil
	}
	if len(c.log) > 0 {
		if b.Data, err = merged(ctx, c.data, c.log); err != nil {
			return Bytes{}, err
		}
	}
	// In memory there is no log: SQLite opens only a database that says so.
	b.Data[writeVersion], b.Data[readVersion] = 1, 1
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

// Open opens a copy of the bytes in memory. What is written to it stays there.
func (b Bytes) Open(ctx context.Context) (*sql.DB, error) {
	if len(b.Data) < headerSize {
		return nil, ErrNotDatabase
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, fmt.Errorf("open a database in memory: %w", err)
	}
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	db.SetMaxIdleConns(1)
	db.SetConnMaxIdleTime(0)
	db.SetConnMaxLifetime(0)
	err = raw(ctx, db, func(c driver.Conn) error {
		return c.(interface{ Deserialize([]byte) error }).Deserialize(b.Data)
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

// Serialize returns the bytes that a file with the database has.
func Serialize(ctx context.Context, db *sql.DB) (data []byte, err error) {
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

// Row is a row of a table: the values of its columns as text, without those that are NULL.
type Row struct {
	Values map[string]string
	// Odd is a column that holds neither a number nor UTF-8 text, which its value doesn't show; "" if none does.
	Odd string
}

// Rows reads a table: the columns that it stores, in their order, none if there is no such table, and its rows. With an error, there are
// those that could be read. A view or a virtual table of that name isn't a table: to read it would run what its schema says.
func Rows(ctx context.Context, db *sql.DB, table string) (columns []string, list []Row, err error) {
	rows, err := db.QueryContext(ctx, `SELECT name FROM pragma_table_info(?1)
		WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND lower(name) = lower(?1) AND rootpage > 0)`, table)
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
	if rows, err = db.QueryContext(ctx, `SELECT "`+strings.Join(columns, `", "`)+`" FROM "`+table+`"`); err != nil {
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
		r := Row{Values: make(map[string]string, len(columns))}
		for i, column := range columns {
			r.put(column, cells[i])
		}
		list = append(list, r)
	}
	return columns, list, rows.Err()
}

// put sets a value as SQLite gives it.
func (r *Row) put(column string, cell any) {
	switch cell := cell.(type) {
	case nil:
		return
	case float64:
		r.Values[column] = strconv.FormatFloat(cell, 'f', -1, 64)
	case []byte:
		r.Values[column], r.Odd = string(cell), column
	default:
		r.Values[column] = fmt.Sprint(cell)
	}
	if v := r.Values[column]; !utf8.ValidString(v) {
		r.Values[column], r.Odd = strings.ToValidUTF8(v, "\ufffd"), column
	}
}

// Has reports whether the file at a path is a database with some tables.
func Has(path string, tables ...string) bool {
	ctx := context.Background()
	c, err := once(path)
	if err != nil {
		return false
	}
	b, err := c.bytes(ctx)
	if err != nil {
		return false
	}
	db, err := b.Open(ctx)
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

func usesLog(data []byte) bool { return data[readVersion] == withLog }
