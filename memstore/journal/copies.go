package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// copyEvery is how old the newest copy may get while the journal is in use.
const copyEvery = 24 * time.Hour

// Copies are the copies of a journal in its state folder. A journal in memory has none.
type Copies struct {
	j   *Journal
	dir string // "": in memory
}

// Copies returns the copies of the journal.
func (j *Journal) Copies() Copies {
	if !j.Lasts() {
		return Copies{j: j}
	}
	return Copies{j, filepath.Dir(j.path)}
}

// Remove removes the copies.
func (c Copies) Remove() ([]string, error) {
	if c.dir == "" {
		return nil, nil
	}
	return removeCopies(c.dir)
}

// Any reports whether there is a verified copy.
func (c Copies) Any() bool { return c.dir != "" && len(listCopies(c.dir)) > 0 }

// Keep maintains the copies in the background while the journal is in use. With daily it makes one where the newest is older
// than a day; otherwise it removes those from before a purge, and those that a purge no longer needs.
func (c Copies) Keep(ctx context.Context, daily bool) error {
	if c.dir == "" {
		return nil
	}
	if daily {
		return c.Daily(ctx)
	}
	purges, err := c.j.Purges(ctx)
	if err != nil {
		return err
	}
	for _, one := range listCopies(c.dir) {
		if one.Purges < purges || c.j.options.Now().Sub(one.Time).Abs() > copyEvery {
			err = errors.Join(err, os.Remove(filepath.Join(c.dir, one.Name)))
		}
	}
	return failed("copy", err)
}

// Daily makes a verified copy where the newest one is older than a day of use.
func (c Copies) Daily(ctx context.Context) error {
	if c.dir == "" {
		return nil
	}
	purges, err := c.j.Purges(ctx)
	if err != nil {
		return err
	}
	for _, one := range listCopies(c.dir) {
		if age := c.j.options.Now().Sub(one.Time); one.Purges == purges && age >= 0 && age < copyEvery {
			return nil
		}
	}
	if span, err := c.j.Span(ctx); err != nil || span.Newest.IsZero() {
		return err // a copy of an empty journal would count as today's
	}
	return c.Make(ctx)
}

// Make makes a copy of the journal, verifies it, and removes older copies. Edits continue meanwhile. The error
// is [ErrNoRoom] where the disk has no room; damage that is found makes the journal unhealthy.
func (c Copies) Make(ctx context.Context) error {
	if c.dir == "" {
		return nil
	}
	size, _, _, err := c.j.Size(ctx)
	if err != nil {
		return err
	}
	if err := roomFor(c.dir, size); err != nil {
		return err
	}
	purges, err := c.j.Purges(ctx)
	if err != nil {
		return err
	}
	db, err := c.j.pool.ReaderNow()
	if err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return failed("copy", err)
	}
	defer func() { _ = conn.Close() }() // it goes back to the pool
	err = makeCopy(ctx, conn, c.dir, purges, c.j.options.Now())
	if err != nil && ctx.Err() == nil {
		c.j.health.suspect()
	}
	return failed("copy", err)
}
