// Package dbfile reads SQLite databases of other programs as bytes, and queries the bytes in memory. SQLite never gets their path: it would
// write beside the file, or recover what its program is still writing. Nothing of theirs changes, not even the time of last access.
package dbfile

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/quietfile"

	_ "modernc.org/sqlite" // the driver
)

// Suffix of the log that SQLite keeps beside a database whose program uses one.
const walSuffix = "-wal"

const (
	// agreePatience is how long a file may keep changing between two reads; a program writes it in milliseconds.
	agreePatience = 3 * time.Second
	agreePause    = 20 * time.Millisecond
	// wholePatience is how long a file may be shorter than its header says: its program writes it.
	wholePatience = 500 * time.Millisecond
	// most bounds the databases that are read, in bytes: they are held in memory.
	most = 512 << 20
)

// Errors of this package. Those of files wrap the sentinels of package backend.
var (
	// ErrNotDatabase means that a file isn't a database of SQLite.
	ErrNotDatabase = errors.New("not a SQLite database")
	// ErrDamaged means that SQLite can't make sense of the bytes.
	ErrDamaged = fmt.Errorf("damaged database: %w", backend.ErrDamaged)
	// ErrBusy means that the file kept changing.
	ErrBusy = fmt.Errorf("the file keeps changing: %w", backend.ErrBusy)
	// ErrTooLarge means that a database doesn't fit into memory.
	ErrTooLarge = fmt.Errorf("the database is larger than 512 MB: %w", backend.ErrUnavailable)
)

// Bytes is a database at one moment. It is immutable.
type Bytes struct {
	Data []byte // with what the log beside it had, once that was committed
	// Digest identifies the bytes on disk, those of the log included, within this process.
	Digest string
	// Logged says that the program keeps a log beside the database.
	Logged bool
}

// Read reads a database whole, with the log beside it, until two reads agree.
func Read(ctx context.Context, path string) (Bytes, error) {
	began := time.Now()
	var last copied
	for first := true; ; first = false {
		next, err := once(path)
		if err != nil && !errors.Is(err, ErrNotDatabase) {
			return Bytes{}, err
		}
		agreed := !first && next.same(last)
		switch {
		case agreed && err == nil && next.whole():
			return next.bytes(ctx)
		case agreed && time.Since(began) > wholePatience && err != nil:
			return Bytes{}, err
		case agreed && time.Since(began) > wholePatience:
			return next.bytes(ctx) // no writer is at work: it stays like this
		case len(next.data) > 0 && err != nil:
			return Bytes{}, err // other bytes than those of a database, from the first on
		case !first && time.Since(began) > agreePatience: // a first read of a large file takes long by itself
			return Bytes{}, ErrBusy
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

// whole reports whether all pages that the header counts are there. The count holds if the program that wrote it knew of the last change.
func (c copied) whole() bool {
	if usesLog(c.data) {
		return true
	}
	word := binary.BigEndian.Uint32
	return word(c.data[changesAt:]) != word(c.data[countedAt:]) || int64(word(c.data[pagesAt:]))*int64(pageSize(c.data)) <= int64(len(c.data))
}

// once reads the files.
func once(path string) (c copied, err error) {
	if c.data, err = readFile(path); err != nil {
		return c, err
	}
	if !isDatabase(c.data) {
		return c, ErrNotDatabase
	}
	if usesLog(c.data) {
		c.log, err = readFile(path + walSuffix)
		if errors.Is(err, backend.ErrNotExist) {
			err = nil
		}
	}
	return c, err
}

func (c copied) bytes(ctx context.Context) (b Bytes, err error) {
	b = Bytes{Data: c.data, Digest: digest(c.data, c.log), Logged: usesLog(c.data)}
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
		return nil, about(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "copy.db")
	if err := errors.Join(os.WriteFile(file, data, 0o600), os.WriteFile(file+walSuffix, log, 0o600)); err != nil {
		return nil, about(err)
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(file)}).String())
	if err != nil {
		return nil, fmt.Errorf("open a copy: %w", err)
	}
	_, err = db.ExecContext(ctx, "PRAGMA trusted_schema = OFF; PRAGMA wal_checkpoint(TRUNCATE)")
	if closeErr := db.Close(); err != nil || closeErr != nil {
		return nil, cmp.Or(ctx.Err(), ErrDamaged)
	}
	return os.ReadFile(file)
}

func readFile(path string) ([]byte, error) {
	f, err := quietfile.Open(path, 0)
	if err != nil {
		return nil, about(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, about(err)
	case !info.Mode().IsRegular():
		return nil, backend.ErrNotRegular
	case info.Size() > most:
		return nil, ErrTooLarge
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()) + bytes.MinRead)
	_, err = b.ReadFrom(io.LimitReader(f, most))
	return b.Bytes(), about(err)
}

func about(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return backend.ErrNotExist
	case errors.Is(err, fs.ErrPermission):
		return backend.ErrPermission
	}
	return backend.ErrUnavailable
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
	return nil, cmp.Or(ctx.Err(), ErrDamaged)
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

// Columns are the names of the columns that a table stores, in their order; none if there is no such table. A view or a virtual table of
// that name isn't one: to read it would run what its schema says.
func Columns(ctx context.Context, db *sql.DB, table string) (names []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT name FROM pragma_table_info(?1)
		WHERE EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND lower(name) = lower(?1) AND rootpage > 0)`, table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// Plain reports whether a database has nothing but tables and indexes. A trigger, a view, a virtual table or a column that is computed may
// change or add to what is written.
func Plain(ctx context.Context, db *sql.DB) (bool, error) {
	var others int
	err := db.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM sqlite_schema WHERE type NOT IN ('table', 'index') OR type = 'table' AND rootpage = 0) +
		(SELECT count(*) FROM sqlite_schema AS s, pragma_table_xinfo(s.name) AS c
			WHERE s.type = 'table' AND s.rootpage > 0 AND c.hidden <> 0)`).Scan(&others)
	return others == 0, err
}

// The header of a database, by the documentation of the file format.
const (
	magic        = "SQLite format 3\x00"
	headerSize   = 100
	pageSizeAt   = 16
	writeVersion = 18
	readVersion  = 19
	reservedAt   = 20 // bytes at the end of each page that hold nothing
	changesAt    = 24 // a counter of changes
	pagesAt      = 28
	countedAt    = 92  // the value that counter had when the pages were counted
	withLog      = 2   // the version of databases that have a log
	leastUsable  = 480 // bytes of a page
)

// isDatabase reports whether bytes begin as a database does.
func isDatabase(data []byte) bool {
	return len(data) >= headerSize && string(data[:len(magic)]) == magic && validPageSize(pageSize(data)) &&
		pageSize(data)-int(data[reservedAt]) >= leastUsable
}

func usesLog(data []byte) bool { return data[readVersion] == withLog }

func pageSize(data []byte) int {
	if n := int(binary.BigEndian.Uint16(data[pageSizeAt:])); n != 1 {
		return n
	}
	return 1 << 16
}

// validPageSize reports whether pages may be of a size, by the documentation of the file format.
func validPageSize(n int) bool { return n >= 1<<9 && n <= 1<<16 && n&(n-1) == 0 }

// seeds are this process's own: a file that was made to have the digest of another doesn't.
var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func digest(data, log []byte) string {
	var sum []byte
	for _, seed := range seeds {
		sum = binary.BigEndian.AppendUint64(sum, maphash.Bytes(seed, data))
		sum = binary.BigEndian.AppendUint64(sum, maphash.Bytes(seed, log))
	}
	return string(sum)
}
