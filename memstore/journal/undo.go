package journal

import (
	"context"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Newest returns the revisions of the user's newest group that an undo, or a redo, would undo; ErrNothing
// if there are none. The user's is what the curator did, or what was put into the store from a replay. A redo is of
// nothing once something was done since.
func (j *Journal) Newest(ctx context.Context, redo bool, before int64) (revs []int64, err error) {
	fits := "open IS NULL AND command NOT IN ('undo', 'redo') AND undone_by IS NULL"
	if redo {
		fits = `open IS NULL AND command = 'undo' AND undone_by IS NULL
			AND rev > (SELECT max(coalesce((SELECT max(rev) FROM revision WHERE actor = 'curator'
				AND command NOT IN ('undo', 'redo')), 0),
				coalesce((SELECT max(rev) FROM revision INDEXED BY revision_grp WHERE grp IS NOT NULL AND actor = 'replay'), 0)))`
	}
	revs, err = column[int64](j.db.QueryContext(ctx, `WITH fit AS (
		SELECT rev, coalesce(grp, rev) AS g FROM revision WHERE actor = 'curator' AND `+fits+`
		UNION ALL SELECT rev, grp FROM revision INDEXED BY revision_grp WHERE grp IS NOT NULL AND actor = 'replay' AND `+fits+`)
		SELECT rev FROM fit WHERE g = (SELECT g FROM fit WHERE ?1 = 0 OR rev < ?1 ORDER BY rev DESC LIMIT 1)`, before))
	if err != nil {
		return nil, j.failed(err)
	}
	if len(revs) == 0 {
		return nil, &past.Error{Err: past.ErrNothing}
	}
	return revs, nil
}

// Forward is the path that what a revision left at its path has today, there or not, as if the renames of without
// had not been.
func (j *Journal) Forward(ctx context.Context, r past.Revision, without map[int64]bool) (string, error) {
	name, err := forward(ctx, j.db, memstore.BackendName(r.Path), r.Rev, r.Shape == past.Removed, without)
	return memstore.AgentPath(name), j.failed(err)
}
