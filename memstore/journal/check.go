package journal

import (
	"context"

	"memcurator/memstore/past"
)

// Check reads the whole database. It changes nothing.
func (j *Journal) Check(ctx context.Context) (*past.Report, error) {
	damage, err := damageIn(ctx, j.db)
	if err != nil {
		return nil, j.failed(err)
	}
	r := &past.Report{Damage: damage}
	if len(r.Damage) > 0 {
		return r, nil
	}
	err = j.db.QueryRowContext(ctx, `SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size),
		(SELECT count(*) FROM revision WHERE open IS NOT NULL), (SELECT count(*) FROM revision WHERE open IS NULL),
		(SELECT count(*) FROM blob)`).Scan(&r.Bytes, &r.Open, &r.Revisions, &r.Contents)
	if err != nil {
		return nil, j.failed(err)
	}
	r.Uncertain, err = column[int64](j.db.QueryContext(ctx, "SELECT rev FROM revision WHERE note = ?", string(past.NoteUncertain)))
	return r, j.failed(err)
}
