package act

import (
	"context"
	"errors"

	"memcurator/memstore"
	"memcurator/memstore/upkeep"
)

// Follows reports whether indexes and links follow what the user deletes and moves: not where that could not be undone.
func (q *Queue) Follows() bool { return q.Journal != nil }

// follow lets indexes and links follow an act, in its group; ctx has its origin. Files that stayed, because they changed meanwhile, have
// no fate. What can't be written stays as it is: Curate proposes it.
func follow(ctx context.Context, store *memstore.Store, origin memstore.Origin, fates upkeep.Fates) (written []upkeep.Rewrite) {
	carried := upkeep.Fates{}
	for was, fate := range fates {
		if _, err := store.Backend().Lstat(memstore.BackendName(was)); errors.Is(err, memstore.ErrNotExist) {
			carried[was] = fate
		}
	}
	list, err := upkeep.Plan(ctx, store, carried)
	if err != nil {
		return nil
	}
	origin.As = upkeep.Command
	ctx = memstore.WithOrigin(ctx, origin)
	for _, r := range list {
		if _, err := store.Apply(ctx, r.Step()); err == nil {
			written = append(written, r)
		}
	}
	return written
}
