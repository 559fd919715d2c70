package journal

import (
	"context"
	"crypto/rand"
	"database/sql"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Emptied reports how many files and links the journal takes to be in the store, where none of them is there and the
// directory is empty, or is on another device than it was: what a lost mount leaves, and a folder that gave way to an empty
// one. 0: nothing is amiss. Another device alone means nothing, since its number changes when the machine starts.
// It stops at the first file that is there, so a healthy store costs one query.
func (j *Journal) Emptied(ctx context.Context) (int, error) {
	if j.options.Backend == nil {
		return 0, nil
	}
	missing, err := j.disk.missing(ctx, j.db)
	if missing == 0 || err != nil {
		return 0, j.failed(err)
	}
	root, err := j.options.Backend.Lstat(".")
	if err != nil {
		return 0, j.failed(err)
	}
	device, err := j.device(ctx)
	if err != nil || device != 0 && device != root.ID.Device {
		return missing, j.failed(err)
	}
	snap, err := j.disk.scan(ctx, ".")
	if err != nil {
		return 0, j.failed(err)
	}
	snap.Walk(func(_ string, n *memstore.Node) bool {
		if n.Kind != memstore.KindDir || n.Problem != nil { // what cannot be listed may hold files
			missing = 0
		}
		return true
	})
	return missing, nil
}

// missing counts the files and links that are known, 0 where one of them is there or that cannot be seen.
func (d *disk) missing(ctx context.Context, db *sql.DB) (int, error) {
	rows, err := db.QueryContext(ctx, "SELECT path FROM file WHERE kind IN (?, ?)", int(memstore.KindFile), int(memstore.KindLink))
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ { // mostly the first one is there, and a start does not wait for the names of the others
		var name string
		if err := rows.Scan(&name); err != nil {
			return 0, err
		}
		if _, err := d.backend.Lstat(name); !memstore.IsAbsent(err) {
			return 0, nil
		}
	}
	return n, rows.Err()
}

// device is that of the store's directory at the last full comparison; 0: unknown.
func (j *Journal) device(ctx context.Context) (uint64, error) {
	var device int64
	err := j.db.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM meta WHERE key = ?), 0)", metaDevice).Scan(&device)
	return uint64(device), err
}

// AcceptEmpty is [Journal.Sync] of everything for a store that [Journal.Emptied] doubts: it records the missing files as removed by other
// programs, in one group that can be undone by its number.
func (j *Journal) AcceptEmpty(ctx context.Context) (made int, group int64, err error) {
	c, err := j.comparison(ctx, nil)
	if err != nil {
		return 0, 0, failed(err)
	}
	c.accepts, c.note, c.name = true, past.NoteUnseen, "accept-empty "+rand.Text()
	if err = j.OpenGroup(ctx, c.name, "the loss of all files"); err == nil {
		err = c.whole(nil)
	}
	return c.made, c.group, j.failed(err)
}

// notEmptied refuses to record that all files of a store were deleted, unless the user has accepted it.
func (c *comparison) notEmptied() error {
	if c.accepts {
		return nil
	}
	missing, err := c.j.Emptied(c.ctx)
	if err == nil && missing > 0 {
		err = &past.Error{Err: errEmptied, Cause: memstore.ErrUnavailable}
	}
	return err
}
