package undo

import (
	"context"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Record is what an [Editor] needs from the record of changes. A read sees all edits that this process has finished. Package journal
// has one.
type Record interface {
	Revision(ctx context.Context, rev int64) (past.Revision, error)
	List(ctx context.Context, f past.Filter, visit func(past.Revision) bool) error
	Tree(ctx context.Context, rev int64) (*past.Tree, error)
	Bytes(ctx context.Context, s past.Side) ([]byte, error)
	GroupOf(ctx context.Context, group int64) (past.GroupInfo, error)
	// Purges counts the purges so far: a plan of before one may hold what that has taken out.
	Purges(ctx context.Context) (int64, error)

	// Newest returns the revisions of the user's newest group that an undo, or a redo, would undo; [past.ErrNothing].
	Newest(ctx context.Context, redo bool) (revs []int64, err error)
	// Forward is the path that what a revision left at its path has today, there or not, as if the renames of without had not
	// been. What has come to its path after a removal is another file.
	Forward(ctx context.Context, r past.Revision, without map[int64]bool) (path string, err error)
	// Since returns what happened after a revision, except for what was undone and its undo.
	Since(ctx context.Context, rev int64) (past.Since, error)
	// HadFolder reports whether a folder was at path right before a revision.
	HadFolder(ctx context.Context, path string, rev int64) (bool, error)
	// AccessTime is when a file was last read before a revision of the curator removed it; zero: not known.
	AccessTime(ctx context.Context, rev int64) (time.Time, error)

	// FolderTimes are the times of the folders that the edit of a revision has changed.
	FolderTimes(ctx context.Context, rev int64) ([]past.FolderTime, error)
	// FolderStamps is what a folder of the tree at a revision had besides what it held.
	FolderStamps(ctx context.Context, e past.Entry, rev int64) (memstore.Stamps, error)
	// SetFolderStamps corrects what the newest revisions say of folders, by agent path, that got their stamps after them.
	SetFolderStamps(ctx context.Context, to map[string]memstore.Stamps) error

	// OpenGroup keeps the title of a group; name is what its edits have as [memstore.Origin].Group.
	OpenGroup(ctx context.Context, name, title string) error
}
