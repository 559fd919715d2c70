package journal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// openFile opens, and where it is missing makes, the database file, of which nothing is read yet.
func openFile(path string) (*tableWriter, error) {
	db, err := database.Open(path)
	if err != nil {
		return nil, err
	}
	w := &tableWriter{Writer: db}
	w.blobs, w.entries = content.NewStore(db), entries{w}
	return w, nil
}

// openWriter opens, and where it is missing makes, the database for writing.
func openWriter(path string) (*tableWriter, error) {
	w, err := openFile(path)
	if err != nil {
		return nil, err
	}
	if err := w.prepare(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// tableWriter is the one connection that writes to the tables. Not safe for concurrent use: Journal.mu guards it.
type tableWriter struct {
	*database.Writer
	flagged bool          // recorded revisions change in the transaction under way
	rings   bool          // it has something that others wait for
	blobs   content.Blobs // the contents
	entries entries
}

// prepare makes a database that openFile has opened ready for writing.
func (w *tableWriter) prepare() error {
	if err := w.LogAhead(); err != nil {
		return err
	}
	version, err := w.Version()
	switch {
	case err != nil:
		return err
	case version == schema.Current:
		return nil
	case version > 0:
		return &past.Error{Op: "open", Err: ErrVersion}
	}
	return w.makeTables()
}

// tx runs f in a transaction; see [dbWriter.transact].
func (w *tableWriter) tx(ctx context.Context, durable bool, f func() error) error {
	return w.Transact(ctx, durable, func() error {
		w.flagged, w.rings = false, false
		if err := f(); err != nil {
			return err
		}
		return w.countFlags()
	})
}

// makeTables makes the tables of a new database.
func (w *tableWriter) makeTables() error {
	return w.tx(context.Background(), true, func() error {
		version, err := w.Version()
		if err != nil || version == schema.Current {
			return err // another process was quicker
		}
		for _, statement := range strings.Split(schema.Tables, ";\n") {
			if strings.TrimSpace(statement) == "" {
				continue
			}
			if err := w.Run(statement); err != nil {
				return err
			}
		}
		if err := w.set(schema.MetaID, rand.Text()); err != nil {
			return err
		}
		return w.Run(fmt.Sprintf("PRAGMA application_id=%d", schema.ApplicationID), fmt.Sprintf("PRAGMA user_version=%d", schema.Current))
	})
}

// set writes a value of meta.
func (w *tableWriter) set(key string, value any) error {
	return w.Do("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
}

// pathID returns the number of a name, making it where it is missing.
func (w *tableWriter) pathID(name string) (int64, error) {
	var id int64
	found, err := w.Row("SELECT id FROM path WHERE name = ?", []any{name}, &id)
	if err != nil || found {
		return id, err
	}
	return w.Insert("INSERT INTO path (name) VALUES (?)", name)
}

// knownPath is pathID without making a name: 0 where it is missing. A name that a purge
// removed may still be in the memory of a process that read it, or in a transcript.
func (w *tableWriter) knownPath(name string) (id int64, err error) {
	_, err = w.Row("SELECT id FROM path WHERE name = ?", []any{name}, &id)
	return id, err
}

// flag notes that this transaction changes recorded revisions.
func (w *tableWriter) flag() { w.flagged, w.rings = true, true }

// countFlags counts a transaction that changes recorded revisions, before it commits.
func (w *tableWriter) countFlags() error {
	if !w.flagged {
		return nil
	}
	return w.Do("INSERT INTO meta (key, value) VALUES (?, 1) ON CONFLICT (key) DO UPDATE SET value = value + 1", schema.MetaFlags)
}
