package past

import (
	"time"

	"memcurator/memstore"
)

// Filter chooses revisions. Its zero value chooses all, oldest first.
type Filter struct {
	Actors   []memstore.Actor
	Commands []string
	// Path is an agent path: the revisions of it, and of everything below it unless Exact is set. A rename is one of
	// both of its paths.
	Path  string
	Exact bool
	// Follow leaves the revisions of the file at Path under all the names that it had, with the renames of folders above it. Of a folder
	// it leaves those of everything below.
	Follow  bool
	Since   time.Time // from this moment on
	Until   time.Time // before this moment; zero: no end
	Session string
	Group   int64
	Unread  bool
	Removed bool  // the newest removal of each path at which nothing is now
	After   int64 // revisions above this number
	Before  int64 // revisions below this number; 0: no end
	Newest  bool  // newest first
	Limit   int   // 0: all
}
