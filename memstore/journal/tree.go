package journal

import (
	"context"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// SideOf is what is known of the bytes of an entry.
func (a *archive) SideOf(ctx context.Context, e past.Entry) (past.Side, error) {
	s := e.Side()
	if e.Digest == (memstore.Digest{}) {
		return s, nil
	}
	db, err := a.reader()
	if err != nil {
		return s, err
	}
	var c sideColumns
	err = db.QueryRowContext(ctx, "SELECT id, sum, size, data IS NOT NULL, why FROM blob WHERE sum = ?", e.Digest[:]).
		Scan(&c.blob, &c.sum, &c.size, &c.kept, &c.why)
	if err != nil {
		return s, failed("tree", err)
	}
	s = c.side()
	s.Exists, s.Mode, s.ModTime = true, e.Mode, e.ModTime
	return s, nil
}

// Moment returns the store as it was after revision rev; 0: as it was when the journal began.
// [past.ErrNoRevision] for a number above the newest, and for one that the retention has removed.
func (a *archive) Moment(ctx context.Context, rev int64) (*past.Moment, error) {
	db, err := a.reader()
	if err != nil {
		return nil, err
	}
	var floor, last int64
	row := db.QueryRowContext(ctx, `SELECT coalesce((SELECT value FROM meta WHERE key = 'cut'), 0),
		(SELECT coalesce(max(rev), 0) FROM revision)`)
	if err := row.Scan(&floor, &last); err != nil {
		return nil, failed("moment", err)
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
