package archive

import (
	"context"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// SideOf is what is known of the bytes of an entry.
func (a *Archive) SideOf(ctx context.Context, e past.Entry) (past.Side, error) {
	s := e.Side()
	if e.Digest == (memstore.Digest{}) {
		return s, nil
	}
	db, err := a.pool.Reader()
	if err != nil {
		return s, err
	}
	var c sideColumns
	err = db.QueryRowContext(ctx, "SELECT id, sum, size, data IS NOT NULL, why FROM blob WHERE sum = ?", e.Digest[:]).
		Scan(&c.blob, &c.sum, &c.size, &c.kept, &c.why)
	if err != nil {
		return s, a.failed("tree", err)
	}
	s = c.side()
	s.Exists, s.Mode, s.ModTime = true, e.Mode, e.ModTime
	return s, nil
}

// Moment returns the store as it was after revision rev; 0: when the journal began.
// [past.ErrNoRevision] for a number above the newest, and for one that the retention has removed.
func (a *Archive) Moment(ctx context.Context, rev int64) (*past.Moment, error) {
	db, err := a.pool.Reader()
	if err != nil {
		return nil, err
	}
	var floor, last int64
	row := db.QueryRowContext(ctx, `SELECT coalesce((SELECT value FROM meta WHERE key = 'cut'), 0),
		(SELECT coalesce(max(rev), 0) FROM revision WHERE open IS NULL)`)
	if err := row.Scan(&floor, &last); err != nil {
		return nil, a.failed("moment", err)
	}
	if rev < 0 || rev > last || rev < floor && floor <= last {
		return nil, &past.Error{Op: "moment", Err: past.ErrNoRevision}
	}
	t, err := a.Tree(ctx, rev)
	if err != nil {
		return nil, err
	}
	return past.NewMoment(t, a), nil
}

// Trash lists what was removed and is not there again, newest first: for each path the
// revision that removed it. What a folder held is listed beside it, in the same group.
func (a *Archive) Trash(ctx context.Context, visit func(past.Revision) bool) error {
	return a.List(ctx, past.Filter{Removed: true, Newest: true}, visit)
}
