package database

import (
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"memcurator/memstore/past"
)

// LogSuffix follows the name of a database in that of its write-ahead log, where what is new comes first.
const LogSuffix = "-wal"

// closePatience is how long closing waits for connections in use.
const closePatience = 100 * time.Millisecond

// Pool has the connections for reading, and a lock of its own, so that readers never wait for a writing transaction. Safe for
// concurrent use.
type Pool struct {
	flush func() // writes what waits to be recorded: views of the agent

	mu sync.RWMutex
	db *sql.DB // nil: closed
	// unmade is why the database could not be made. To write it, hold the pool, or do so before sharing it.
	Unmade error
}

// Reader is a connection pool for reading that sees everything so far.
func (p *Pool) Reader() (*sql.DB, error) {
	p.flush()
	return p.ReaderNow()
}

// ReaderNow is Reader without what waits to be recorded.
func (p *Pool) ReaderNow() (*sql.DB, error) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if p.db == nil && p.Unmade != nil {
		return nil, p.Unmade
	}
	if p.db == nil {
		return nil, &past.Error{Op: "read", Err: past.ErrClosed}
	}
	return p.db, nil
}

// Hold makes readers wait until the func that it returns is called.
func (p *Pool) Hold() func() {
	p.mu.Lock()
	return p.mu.Unlock
}

// NewPool is a pool that has no database yet. flush writes what waits to be recorded.
func NewPool(flush func()) *Pool { return &Pool{flush: flush} }

// Adopt has the pool use connections to a database.
func (p *Pool) Adopt(db *sql.DB) { p.db = db }

// Use has the pool read a database.
func (p *Pool) Use(path string) error {
	db, err := OpenReaders(path, false)
	if err == nil {
		p.db = db
	}
	return err
}

// Close closes the connections.
func (p *Pool) Close() error {
	p.mu.Lock()
	db := p.db
	p.db = nil
	p.mu.Unlock()
	if db == nil {
		return nil
	}
	err := db.Close()
	// A query that was canceled returns its connection a moment later. Closing the last one checkpoints the log.
	for end := time.Now().Add(closePatience); db.Stats().OpenConnections > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return err
}

// OpenReaders opens connections for reading. lone: nothing can be written beside the
// database, so that it is read without taking part in the locking.
func OpenReaders(path string, lone bool) (*sql.DB, error) {
	more := "&_pragma=query_only(1)"
	if lone {
		more += "&mode=ro"
		if _, err := os.Stat(path + LogSuffix); errors.Is(err, fs.ErrNotExist) {
			more += "&immutable=1"
		}
	}
	return connect(path, more, 4)
}

// Version is the number of the schema.
func Version(db *sql.DB) (version int, err error) {
	err = db.QueryRow("PRAGMA user_version").Scan(&version)
	return version, err
}
