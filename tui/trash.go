package tui

import (
	"context"

	"memcurator/memstore/journal"
)

// deletions lists the revisions that took something away.
type deletions struct{ journal *journal.Journal }

// Revisions implements [timeline.Source].
func (d deletions) Revisions(ctx context.Context, f journal.Filter) ([]journal.Revision, error) {
	limit := f.Limit
	f.Limit = 0
	var out []journal.Revision
	err := d.journal.List(ctx, f, func(r journal.Revision) bool {
		if r.Shape == journal.Removed && r.UndoneBy == 0 {
			out = append(out, r)
		}
		return limit == 0 || len(out) < limit
	})
	return out, err
}
