package memstore

import (
	"context"
	"time"
)

// Options are the settings of a [Store]. The zero value is the tool as documented:
// the docs dialect, no guards, no recorders, reading and writing.
type Options struct {
	Dialect   Dialect // zero: [Docs]
	Origin    Origin  // for commands whose context names none; Actor empty: [Agent]
	Guards    []Guard
	Recorders []Recorder
	// Warn is told what went wrong beside a command that itself went on (a
	// recorder that failed). Nil: dropped.
	Warn func(error)
	// ReadOnly refuses every write with ErrReadOnly.
	ReadOnly bool
	// Create makes the directory and its missing parents, 0700 whatever the umask (Open only).
	Create bool
	// ListWorkers is how many directories a listing or a scan reads at once;
	// below 2 everything happens on the caller's goroutine.
	ListWorkers int
	// Overwrite lets create replace an existing file (off: the documented error).
	Overwrite bool
	// MaxViewChars caps the characters that view returns; 0: no cap.
	MaxViewChars int
	// Now is the clock for edits; nil: time.Now.
	Now func() time.Time
}

// Store is one memory directory and the six commands on it. Safe for concurrent use.
type Store struct {
	backend Backend
	options Options
}

// Open opens the directory dir as a store.
func Open(dir string, o Options) (*Store, error) {
	b, err := OpenDir(dir, DirOptions{Create: o.Create})
	if err != nil {
		return nil, err
	}
	return New(b, o), nil
}

// New makes a store over any backend. Close closes the backend.
func New(b Backend, o Options) *Store { return &Store{backend: b, options: o} }

// Backend gives the bytes below the handlers: for the viewer, the index and the watcher.
func (s *Store) Backend() Backend { return s.backend }

// Close frees the backend.
func (s *Store) Close() error { return s.backend.Close() }

// Do runs one command.
func (s *Store) Do(ctx context.Context, c Command) Result { panic("not yet") }
