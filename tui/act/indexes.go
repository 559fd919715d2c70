package act

import (
	"context"
	"errors"
	"path"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/upkeep"
)

// Follows reports whether indexes and links follow what the user deletes and moves: not where that could not be undone.
func (q *Queue) Follows() bool { return q.Journal != nil && q.Rules.Index.Value != config.IndexLeave }

// Fates are those of the files at and below a path that moves to another, or with to empty is deleted, for [Follow]. nil: they can't be
// known, and the act itself says what is wrong.
func Fates(ctx context.Context, b memstore.Backend, from, to string) upkeep.Fates {
	fates := upkeep.Fates{}
	if fatesOf(ctx, b, from, to, fates) != nil {
		return nil
	}
	return fates
}

// fatesOf adds the fates of the files at and below a path that moves to another; "": they are deleted.
func fatesOf(ctx context.Context, b memstore.Backend, from, to string, fates upkeep.Fates) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	info, err := b.Lstat(memstore.BackendName(from))
	if err != nil {
		return err
	}
	if info.Kind != memstore.KindDir {
		fates[from] = upkeep.Fate{To: to}
		return nil
	}
	children, err := b.ReadDir(memstore.BackendName(from))
	if err != nil {
		return err
	}
	for _, c := range children {
		below := ""
		if to != "" {
			below = path.Join(to, c.Name)
		}
		if err := fatesOf(ctx, b, from+"/"+c.Name, below, fates); err != nil {
			return err
		}
	}
	return nil
}

// Follow lets indexes and links follow an act, in its group; ctx has its origin. Files that stayed, because they changed meanwhile, have
// no fate. What can't be written stays as it is: Curate proposes it.
func Follow(ctx context.Context, store *memstore.Store, origin memstore.Origin, fates upkeep.Fates) (written []upkeep.Rewrite) {
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
		if store.Apply(ctx, r.Step()) == nil {
			written = append(written, r)
		}
	}
	return written
}
