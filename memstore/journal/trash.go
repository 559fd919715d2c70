package journal

import (
	"context"

	"memcurator/memstore/past"
)

// Trash lists what was removed and is not there again, newest first: for each path the
// revision that removed it. What a folder held is listed beside it, in the same group.
func (a *archive) Trash(ctx context.Context, visit func(past.Revision) bool) error {
	db, err := a.reader()
	if err != nil {
		return err
	}
	list, err := revisionsOf(db.QueryContext(ctx, "SELECT "+revisionColumns+revisionFrom+`
		WHERE r.shape = ? AND r.undone_by IS NULL
		AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.path = r.path AND e.last IS NULL)
		AND NOT EXISTS (SELECT 1 FROM revision n WHERE n.path = r.path AND n.rev > r.rev AND n.shape = r.shape)
		ORDER BY r.rev DESC`, int(past.Removed)))
	if err != nil {
		return failed("trash", err)
	}
	for i := range list {
		if !visit(list[i]) {
			return nil
		}
	}
	return nil
}
