package past

import (
	"context"
	"io"
	"time"
)

// A Log is the whole record of changes to a store. Package journal implements it on SQLite; callers take the narrowest of the
// interfaces below that they need. No call takes or returns a path of the host: revisions are identified by their number, bytes by
// their digest, files by their agent path.
//
// A read sees all edits that this process has finished. Visitors may call the log again, and stop a call by returning false. Errors
// wrap the sentinels of this package.
type Log interface {
	Reader
	Follower
	Undoer
	Purger
	io.Closer
}

// Reader answers questions about the past.
type Reader interface {
	// List visits the revisions that the filter selects. With f.Newest unset it also visits those recorded meanwhile.
	List(ctx context.Context, f Filter, visit func(Revision) bool) error
	// Revision returns one revision, or [ErrNoRevision].
	Revision(ctx context.Context, rev int64) (Revision, error)
	// Last returns the number of the newest revision, 0 if there is none.
	Last(ctx context.Context) (rev int64, err error)
	// At returns the number of the newest revision at a moment, 0 for a time before the first.
	At(ctx context.Context, at time.Time) (rev int64, err error)
	// History visits the revisions of the file that is, or was last, at a path, newest first, through its renames.
	History(ctx context.Context, agentPath string, visit func(Revision) bool) error
	// Tree returns the tree right after a revision; 0 is the beginning.
	Tree(ctx context.Context, rev int64) (*Tree, error)
	// Moment returns the store as it was right after a revision; 0 is the beginning. [ErrNoRevision] if that has been forgotten.
	Moment(ctx context.Context, rev int64) (*Moment, error)
	// SideOf returns what is known about the bytes of an entry.
	SideOf(ctx context.Context, e Entry) (Side, error)
	// Bytes returns the bytes of a side, or [ErrNotKept].
	Bytes(ctx context.Context, s Side) ([]byte, error)
	// Trash visits the newest removal of each path at which nothing is now.
	Trash(ctx context.Context, visit func(Revision) bool) error
	// Search visits the texts that match, in no particular order.
	Search(ctx context.Context, q Query, visit func(Hit) bool) error
	// Facts visits what is known about each file and link that is there, in no particular order.
	Facts(ctx context.Context, visit func(Fact) bool) error
	// Span returns the time that the record covers.
	Span(ctx context.Context) (Span, error)
	// GroupOf describes a group of revisions, or returns [ErrNoRevision].
	GroupOf(ctx context.Context, group int64) (GroupInfo, error)
	// Purges returns the number of purges so far. A caller that holds texts in memory compares it with the number at the time it
	// read them, and reads them again if it has risen.
	Purges(ctx context.Context) (int64, error)
}

// Revisions collects the revisions that a filter selects.
func Revisions(ctx context.Context, r Lister, f Filter) (list []Revision, err error) {
	err = r.List(ctx, f, func(one Revision) bool {
		list = append(list, one)
		return true
	})
	return list, err
}

// Lister is the part of a [Reader] that lists revisions.
type Lister interface {
	List(ctx context.Context, f Filter, visit func(Revision) bool) error
}

// Undoer is what package undo needs besides a [Reader].
type Undoer interface {
	// Newest returns the revisions of the user's newest group that an undo, or a redo, would undo; [ErrNothing] if there are none.
	Newest(ctx context.Context, redo bool) (revs []int64, err error)
	// Forward returns the path that what a revision left at its path has today, whether or not it is still there, as if the renames in
	// without had not happened. Something new at its path after a removal is another file.
	Forward(ctx context.Context, r Revision, without map[int64]bool) (path string, err error)
	// Since returns what happened to agent paths after a revision, except for what was undone and its undo.
	Since(ctx context.Context, rev int64, paths []string) (Since, error)
	// HadFolder reports whether a folder was at path right before a revision.
	HadFolder(ctx context.Context, path string, rev int64) (bool, error)
	// OpenGroup keeps the title of a group; name is what its edits have as [memstore.Origin].Group. A group that has revisions keeps its
	// title: more edits join it.
	OpenGroup(ctx context.Context, name, title string) error
	// RenameGroup replaces the title of a group, by its name: less was done than it says.
	RenameGroup(ctx context.Context, name, title string) error
}

// Purger removes values from the past for good, and lists everything they could be in.
type Purger interface {
	// AnnouncePurge keeps, durably, what a purge is going to remove, so that another process can complete it.
	AnnouncePurge(ctx context.Context, what []byte) error
	// PendingPurge returns what was announced and is unfinished. If compact is set, only EndPurge remains.
	PendingPurge(ctx context.Context) (what []byte, compact bool, err error)
	// Purge rewrites everything that is kept. It cannot be undone.
	Purge(ctx context.Context, p Purge) (Purged, error)
	// EndPurge completes a purge that was interrupted after it had rewritten everything.
	EndPurge(ctx context.Context) error
	// Contents visits every content that is kept, Names the agent path of everything that is or was there, and Texts all other
	// text that came from callers.
	Contents(ctx context.Context, visit func(c Kept, data []byte) bool) error
	Names(ctx context.Context, visit func(path string) bool) error
	Texts(ctx context.Context, visit func(where, text string) bool) error
}

// Learner is implemented by a record that takes what transcripts know about its revisions. It is found by type assertion: a record
// whose edits carry their origin has no use for it.
type Learner interface {
	// Learn adds session, model, call and turn to revisions, and returns how many got something.
	Learn(ctx context.Context, list []Told) (learned int, err error)
	// LearnUses adds the agent's views of paths.
	LearnUses(ctx context.Context, uses map[string]Use) error
	// HasSession reports whether a session is known.
	HasSession(ctx context.Context, session string) (bool, error)
}
