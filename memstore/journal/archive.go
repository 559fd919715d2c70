package journal

import (
	"database/sql"
	"sync"

	"memcurator/memstore/past"
)

// archive is what is recorded, for reading: most of what a [past.Log] is asked for. It never writes, and has connections and a lock
// of its own, so that readers never wait for a writing transaction. Safe for concurrent use.
type archive struct {
	settle func() // waits until the edits that have ended are recorded

	mu     sync.RWMutex
	db     *sql.DB // nil: closed
	unmade error   // why the journal could not be made in the background; held by Journal.mu too

	index treeIndex
}

// reader is a connection pool for reading that sees everything recorded so far.
func (a *archive) reader() (*sql.DB, error) {
	a.settle()
	return a.readerNow()
}

// readerNow is reader without waiting for what is not settled yet.
func (a *archive) readerNow() (*sql.DB, error) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if a.db == nil && a.unmade != nil {
		return nil, a.unmade
	}
	if a.db == nil {
		return nil, &past.Error{Op: "read", Err: past.ErrClosed}
	}
	return a.db, nil
}
