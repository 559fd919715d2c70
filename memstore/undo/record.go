package undo

import (
	"context"

	"memcurator/memstore/past"
)

// Record is what an [Editor] needs of a [past.Log].
type Record interface {
	past.Undoer
	Revision(ctx context.Context, rev int64) (past.Revision, error)
	List(ctx context.Context, f past.Filter, visit func(past.Revision) bool) error
	Tree(ctx context.Context, rev int64) (*past.Tree, error)
	Bytes(ctx context.Context, s past.Side) ([]byte, error)
	GroupOf(ctx context.Context, group int64) (past.GroupInfo, error)
	// Purges tells a plan made before a purge, which may hold what that has removed, from one made after it.
	Purges(ctx context.Context) (int64, error)
}
