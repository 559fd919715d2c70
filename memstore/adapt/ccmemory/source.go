package ccmemory

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/adapt/dbfile"
	"memcurator/memstore/backend"
)

// fileName is what the program calls its database.
const fileName = "memory.db"

// Adapter opens databases of cc-memory.
var Adapter = adapt.Adapter{Kind: "cc-memory", Program: "cc-memory", Recognize: recognize, Open: open, Count: countRecords}

// recognize looks at the names of the tables.
func recognize(path string) bool {
	there := dbfile.Tables(path)
	return slices.Contains(there, tables[0].name) && slices.Contains(there, episodeTable.name)
}

// countRecords counts the records that are shown.
func countRecords(ctx context.Context, open func(suffix string) (io.ReadCloser, error)) (int, error) {
	return dbfile.Count(ctx, open, func(there []string) (list []string) {
		for _, t := range tables {
			if slices.Contains(there, t.name) && (t.folder != "" || t == transcriptTable) {
				list = append(list, t.name)
			}
		}
		return list
	})
}

func open(path string) (adapt.Source, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, backend.ErrUnavailable
	}
	return &Source{path: path, servers: servers, now: time.Now}, nil
}

// Source is a database of cc-memory, as it is on disk. It is an [adapt.Writer].
type Source struct {
	path    string
	servers func() ([]int, error) // the processes of the program's servers
	now     func() time.Time
	reached func(step) // nil but in tests

	mu      sync.Mutex    // guards what is below
	last    *state        // what was read last
	backups func() string // the folder of backups; "" if there is none
	ours    overwrite     // what we wrote last
}

// Files implements [adapt.Source].
func (s *Source) Files() []string { return []string{s.path} }

// Close implements [adapt.Source]. Nothing is held open.
func (s *Source) Close() error { return nil }

// Read implements [adapt.Source].
func (s *Source) Read(ctx context.Context) (*adapt.Image, error) {
	st, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	return st.image, nil
}

// Memory returns what the database holds now, row by row.
func (s *Source) Memory(ctx context.Context) (*Memory, error) {
	st, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	return st.memory.typed(), nil
}

// NameOf returns the file of the record with an ID in an image, "" if there is none.
func (s *Source) NameOf(image *adapt.Image, id string) string {
	if st, err := s.of(context.Background(), image); err == nil {
		return st.names[id]
	}
	return ""
}

func (s *Source) read(ctx context.Context) (*state, error) {
	b, err := dbfile.Read(ctx, s.path)
	if err != nil {
		return nil, unreadable(err)
	}
	s.mu.Lock()
	last := s.last
	s.mu.Unlock()
	if last != nil && last.digest == b.Digest {
		return last, nil
	}
	m, err := loadMemory(ctx, b)
	if err != nil {
		return nil, unreadable(err)
	}
	st := lay(m, b.Digest)
	if b.Logged {
		st.image.ReadOnly = "The database has a log, which cc-memory doesn't use: another program has it open"
	}
	s.mu.Lock()
	s.last = st
	s.mu.Unlock()
	return st, nil
}

// of returns the state that an image was made of.
func (s *Source) of(ctx context.Context, image *adapt.Image) (*state, error) {
	s.mu.Lock()
	last := s.last
	s.mu.Unlock()
	if last != nil && last.image == image {
		return last, nil
	}
	st, err := s.read(ctx)
	switch {
	case err != nil:
		return nil, err
	case st.digest != image.Digest:
		return nil, backend.ErrChanged
	}
	return st, nil
}

// unreadable words why a database can't be read.
func unreadable(err error) error {
	switch {
	case errors.Is(err, dbfile.ErrNotDatabase):
		return because(err, "The file is not an SQLite database, or only half of one was written")
	case errors.Is(err, dbfile.ErrDamaged):
		return because(err, "The database is damaged; a copy of before is to be restored, or cc-memory starts with an empty one")
	case errors.Is(err, dbfile.ErrBusy):
		return because(err, "The file keeps changing while it is read; try again")
	case errors.Is(err, dbfile.ErrTooLarge):
		return because(err, "The database is larger than 512 MB, more than is read here; with its server stopped, \"sqlite3 FILE VACUUM\" "+
			"makes a smaller one if much was deleted, else memories are to be deleted with cc-memory itself")
	case errors.Is(err, errSchema):
		return because(err, "The database has no tables of cc-memory")
	}
	return err
}

// because makes an error whose text is a sentence for people, without a full stop.
func because(err error, why string) error { return &reason{why, err} }

type reason struct {
	why string
	err error
}

func (r *reason) Error() string { return r.why }

// Unwrap returns that the memory isn't available, and why.
func (r *reason) Unwrap() []error { return []error{backend.ErrUnavailable, r.err} }
