package archive

import (
	"context"
	"database/sql"

	"memcurator/memstore/journal/database"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/past"
)

// After is what comes after a state, without waiting: at most this many revisions.
func After(ctx context.Context, p *database.Pool, seen past.State, most int) (b past.Batch, err error) {
	db, err := p.ReaderNow()
	if err != nil {
		return b, err
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return b, err
	}
	defer func() { _ = tx.Rollback() }() // it has only read
	if b.Next, err = stateOf(ctx, tx); err != nil {
		return b, err
	}
	b.Newest = b.Next.Last
	if seen.Epoch != "" && b.Next.Epoch != seen.Epoch || b.Newest < seen.Last {
		b.Reset = true
		return b, nil
	}
	if b.Newest == seen.Last {
		return b, nil
	}
	b.Revisions, err = revisionsOf(tx.QueryContext(ctx,
		"SELECT "+revisionColumns+revisionFrom+" WHERE r.open IS NULL AND r.rev > ? ORDER BY r.rev LIMIT ?", seen.Last, most))
	if err == nil {
		err = nameStores(ctx, tx, b.Revisions)
	}
	if err != nil {
		return b, err
	}
	if n := len(b.Revisions); n == most && n > 0 {
		b.Next.Last = b.Revisions[n-1].Rev
	}
	return b, nil
}

// State is the current position of the journal.
func (a *Archive) State(ctx context.Context) (past.State, error) {
	db, err := a.pool.ReaderNow()
	if err != nil {
		return past.State{}, err
	}
	s, err := stateOf(ctx, db)
	return s, a.failed("list", err)
}

// queryer is a connection or a transaction.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func stateOf(ctx context.Context, db queryer) (s past.State, err error) {
	var oldest, ever int64
	err = db.QueryRowContext(ctx, `SELECT coalesce((SELECT max(rev) FROM revision WHERE open IS NULL), 0),
		coalesce((SELECT min(rev) FROM revision WHERE open IS NULL), 0),
		coalesce((SELECT min(rev) - 1 FROM revision WHERE open IS NOT NULL), (SELECT seq FROM sqlite_sequence WHERE name = 'revision'), 0),
		coalesce((SELECT value FROM meta WHERE key = ?), 0), coalesce((SELECT value FROM meta WHERE key = ?), 0),
		coalesce((SELECT value FROM meta WHERE key = ?), '')`, schema.MetaFlags, schema.MetaPurges, schema.MetaID).
		Scan(&s.Last, &oldest, &ever, &s.Flags, &s.Purges, &s.Epoch)
	s.Floor = oldest - 1
	if oldest == 0 {
		s.Floor, s.Last = ever, ever
	}
	return s, err
}

// Purges is how many purges the journal has been through, by whatever process. Who keeps texts of the journal or of
// the store in memory compares it with the number it had when it read them: where it has risen, they are to be
// forgotten and read again. It is one look-up, and does not wait.
func (a *Archive) Purges(ctx context.Context) (n int64, err error) {
	db, err := a.pool.ReaderNow()
	if err != nil {
		return 0, err
	}
	err = db.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM meta WHERE key = ?), 0)", schema.MetaPurges).Scan(&n)
	return n, a.failed("purge", err)
}

// KnownCommit returns the commit of git up to which the commits were learned, "" for none yet.
func (a *Archive) KnownCommit(ctx context.Context) (hash string, err error) {
	db, err := a.pool.ReaderNow()
	if err != nil {
		return "", err
	}
	err = db.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM meta WHERE key = ?), '')", schema.MetaCommit).Scan(&hash)
	return hash, a.failed("commits", err)
}
