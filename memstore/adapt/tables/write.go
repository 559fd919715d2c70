package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

// guarded refuses a change while a server of the program runs, which has the database in memory and writes the file over, and while a
// change by SQLite's own ways is under way.
func (s *source) guarded() error {
	pids, err := s.servers()
	switch {
	case err != nil:
		return refuse("It can't be told on this system whether a server of cc-memory runs, and it would write over the change")
	case len(pids) == 1:
		return refuse("A server of cc-memory runs (process %d) and would write over the change: stop it first", pids[0])
	case len(pids) > 1:
		return refuse("Servers of cc-memory run (processes %s) and would write over the change: stop them first",
			strings.Trim(strings.ReplaceAll(fmt.Sprint(pids), " ", ", "), "[]"))
	}
	if _, err := os.Lstat(s.path + "-journal"); err == nil {
		return refuse("Another program has begun to change the database, and left %s-journal beside it: open the database with that program first",
			filepath.Base(s.path))
	}
	return nil
}

// write changes the database as do does to a copy in memory. The file is that of before, or the new one, whenever this process ends.
func (m *memory) write(ctx context.Context, do func(*sql.DB) error) error {
	b, err := readDatabase(ctx, m.source.path)
	switch {
	case err != nil:
		return err
	case b.digest != m.image.Digest:
		return backend.ErrChanged
	}
	data, err := changed(ctx, b, do)
	if err != nil {
		return err
	}
	if err := m.source.guarded(); err != nil {
		return err
	}
	return adapt.Replace(m.source.path, b.data, data)
}

// changed is the database after a change.
func changed(ctx context.Context, b database, do func(*sql.DB) error) ([]byte, error) {
	db, err := b.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }() // it is only memory
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil || verdict != "ok" {
		return nil, refuse("The database is damaged: it is not changed")
	}
	if err := do(db); err != nil {
		return nil, err
	}
	// The program makes its search index again when it starts with an empty one.
	var indexed int
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'search_index'").Scan(&indexed)
	if err == nil && indexed > 0 {
		_, err = db.ExecContext(ctx, "DELETE FROM search_index")
	}
	if err == nil {
		_, err = db.ExecContext(ctx, "VACUUM") // nothing of what was changed is left in free pages
	}
	if err != nil {
		return nil, unwritable(err)
	}
	data, err := serialize(ctx, db)
	if err != nil {
		return nil, unwritable(err)
	}
	return data, nil
}

// replaceRow puts a row in place of another one; nil if there is none. SQLite makes a number of a text where the column has numbers.
func (m *memory) replaceRow(ctx context.Context, db *sql.DB, was, r *row) error {
	if was != nil {
		if err := deleteRow(ctx, db, was); err != nil {
			return err
		}
	}
	columns := m.columns[r.table]
	cells := make([]any, len(columns)) // nil is NULL
	for i, c := range columns {
		if v, ok := r.values[c]; ok {
			cells[i] = v
		}
	}
	query := "INSERT INTO " + r.table.name + ` ("` + strings.Join(columns, `", "`) + `") VALUES (?` + strings.Repeat(", ?", len(columns)-1) + ")"
	if _, err := db.ExecContext(ctx, query, cells...); err != nil {
		return unwritable(err)
	}
	return nil
}

func deleteRow(ctx context.Context, db *sql.DB, r *row) error {
	if _, err := db.ExecContext(ctx, "DELETE FROM "+r.table.name+" WHERE id = ?", r.id()); err != nil {
		return unwritable(err)
	}
	return nil
}

// remove deletes the record of a file, or all those in a folder.
func (m *memory) remove(ctx context.Context, db *sql.DB, name string) error {
	for file, r := range m.files {
		if file != name && !strings.HasPrefix(file, name+"/") {
			continue
		}
		if r.fixed != "" {
			return refuse("%s", r.fixed)
		}
		if err := deleteRow(ctx, db, r); err != nil {
			return err
		}
	}
	return nil
}

func unwritable(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return refuse("SQLite doesn't take the change: %s", err)
}
