package dbfile

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite/vfs"
)

// shown are the databases that SQLite may look at, as a file system that has nothing else. Of the pages, it copies those that it needs.
type shown struct {
	files sync.Map // Bytes by their names
	names atomic.Uint64
}

var (
	looked   shown
	register = sync.OnceValues(func() (string, error) {
		name, _, err := vfs.New(&looked) // as long as the process
		return name, err
	})
)

// Look opens the bytes to be read only.
func (b Bytes) Look(ctx context.Context) (*sql.DB, error) {
	if len(b.Data) < headerSize {
		return nil, ErrNotDatabase
	}
	system, err := register()
	if err != nil {
		return nil, fmt.Errorf("let SQLite read memory: %w", err)
	}
	name := strconv.FormatUint(looked.names.Add(1), 10)
	looked.files.Store(name, b)
	db, err := sql.Open("sqlite", "file:"+name+"?vfs="+system+"&mode=ro&immutable=1")
	if err != nil {
		looked.files.Delete(name)
		return nil, fmt.Errorf("open a database in memory: %w", err)
	}
	if err := guard(ctx, db, nil); err != nil {
		looked.files.Delete(name)
		return nil, err
	}
	return db, nil
}

// Open implements [fs.FS].
func (s *shown) Open(name string) (fs.File, error) {
	b, ok := s.files.Load(name)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	data := b.(Bytes).Data
	return &shownFile{Reader: bytes.NewReader(data), close: func() { s.files.Delete(name) }}, nil
}

// shownFile is a database while SQLite has it open: it opens it once.
type shownFile struct {
	*bytes.Reader
	close func()
}

func (f *shownFile) Close() error               { f.close(); return nil }
func (f *shownFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *shownFile) Name() string               { return "" }
func (f *shownFile) Mode() fs.FileMode          { return 0o400 }
func (f *shownFile) ModTime() time.Time         { return time.Time{} }
func (f *shownFile) IsDir() bool                { return false }
func (f *shownFile) Sys() any                   { return nil }
