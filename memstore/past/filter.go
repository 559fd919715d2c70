package past

import (
	"strings"
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
	// Words must all occur in the path, in any case; for a rename either path may match.
	Words   []string
	Since   time.Time // from this moment on
	Until   time.Time // before this moment; zero: no end
	Session string
	// SessionPart must occur in the id of the session, of which people know a part.
	SessionPart string
	Group       int64
	Unread      bool
	Pinned      bool
	Removed     bool  // the newest removal of each path at which nothing is now
	After       int64 // revisions above this number
	Before      int64 // revisions below this number; 0: no end
	Newest      bool  // newest first
	Limit       int   // 0: all
}

// HasWords reports whether a revision is about a path with all words of the filter.
func (f Filter) HasWords(r *Revision) bool {
	return len(f.Words) == 0 || hasAll(r.Path, f.Words) || r.OldPath != "" && hasAll(r.OldPath, f.Words)
}

func hasAll(path string, words []string) bool {
	path = strings.ToLower(path)
	for _, w := range words {
		if !strings.Contains(path, strings.ToLower(w)) {
			return false
		}
	}
	return true
}
