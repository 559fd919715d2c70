package journal

import (
	"context"
	"database/sql"

	"memcurator/memstore/past"
)

// Follow returns up to most revisions recorded after seen, by this process or others, and waits until there is one. Numbers may have gaps,
// but none at or below a delivered one appears later. A change to any other field of the state also returns a batch, perhaps without
// revisions. A query takes about 0.1 ms; while it waits there is one for each comparison of this process, and two a second.
func (j *Journal) Follow(ctx context.Context, seen past.State, most int) (past.Batch, error) {
	for {
		rung := j.bell.wait()
		b, err := j.after(ctx, seen, most)
		if err != nil || b.Next != seen {
			return b, err
		}
		if err := pause(ctx, rung); err != nil {
			return past.Batch{}, err
		}
	}
}

// after is what comes after a state, without waiting: at most this many revisions. A damaged journal returns nothing useful, but the damage
// is reported once.
func (j *Journal) after(ctx context.Context, seen past.State, most int) (b past.Batch, err error) {
	if j.Health() == nil {
		if b, err = j.readAfter(ctx, seen, most); err == nil {
			return b, nil
		}
		err = j.failed(err)
	}
	if j.Health() != nil {
		b = past.Batch{Next: seen, Newest: seen.Last}
		b.Next.Damaged = true
		return b, nil
	}
	return b, err
}

func (j *Journal) readAfter(ctx context.Context, seen past.State, most int) (b past.Batch, err error) {
	tx, err := j.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return b, err
	}
	defer func() { _ = tx.Rollback() }() // it has only read
	if b.Next, err = stateOf(ctx, tx); err != nil {
		return b, err
	}
	b.Newest = b.Next.Last
	if b.Newest == seen.Last {
		return b, nil
	}
	b.Revisions, err = revisionsOf(ctx, tx, "r.rev > ? ORDER BY r.rev LIMIT ?", seen.Last, most)
	if err != nil {
		return b, err
	}
	if n := len(b.Revisions); n == most && n > 0 {
		b.Next.Last = b.Revisions[n-1].Rev
	}
	return b, nil
}

// State returns the current position at once: an edit that has just ended may be missing.
func (j *Journal) State(ctx context.Context) (past.State, error) {
	s, err := stateOf(ctx, j.db)
	return s, j.failed(err)
}

func stateOf(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}) (s past.State, err error) {
	err = db.QueryRowContext(ctx, `SELECT coalesce((SELECT max(rev) FROM revision WHERE open IS NULL), 0),
		coalesce((SELECT value FROM meta WHERE key = ?), 0), coalesce((SELECT value FROM meta WHERE key = ?), 0),
		coalesce((SELECT value FROM meta WHERE key = ?), 0)`, metaFlags, metaFloor, metaPurges).
		Scan(&s.Last, &s.Flags, &s.Floor, &s.Purges)
	s.Last = max(s.Last, s.Floor) // it may all be pruned
	return s, err
}
