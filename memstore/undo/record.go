package undo

import (
	"context"

	"memcurator/memstore/past"
)

// Record is what an [Editor] needs of a journal.
type Record interface {
	// Newest returns the revisions of the user's newest group that an undo, or a redo, would undo, of those before a revision (0: all);
	// [past.ErrNothing] if there are none.
	Newest(ctx context.Context, redo bool, before int64) (revs []int64, err error)
	// Forward returns the path that what a revision left at its path has today, whether or not it is still there, as if the renames in
	// without had not happened. Something new at its path after a removal is another file.
	Forward(ctx context.Context, r past.Revision, without map[int64]bool) (path string, err error)
	// OpenGroup keeps the title of a new group; name is what its edits have as [memstore.Origin].Group.
	OpenGroup(ctx context.Context, name, title string) error
	Revision(ctx context.Context, rev int64) (past.Revision, error)
	List(ctx context.Context, f past.Filter, visit func(past.Revision) bool) error
	Tree(ctx context.Context, rev int64) (*past.Tree, error)
	Bytes(ctx context.Context, s past.Side) ([]byte, error)
	// State tells a plan made before a purge, which may hold what that has removed, from one made after it.
	State(ctx context.Context) (past.State, error)
}
