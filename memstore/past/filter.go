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
	// Words must all occur in the path, in the session's id or title, or in the commit's hash or message, in any case; for a rename
	// either path may match.
	Words   []string
	Titles  map[string]string // of sessions, by their ids; never changed
	Since   time.Time         // from this moment on
	Until   time.Time         // before this moment; zero: no end
	Session string
	// SessionPart must occur in the id of the session, of which people know a part.
	SessionPart string
	Group       int64
	Unread      bool
	Removed     bool  // the newest removal of each path at which nothing is now
	After       int64 // revisions above this number
	Before      int64 // revisions below this number; 0: no end
	Newest      bool  // newest first
	Limit       int   // 0: all
}

// HasWords reports whether all words of the filter occur in the path of a revision or in what is known of its session.
func (f Filter) HasWords(r *Revision) bool {
	if len(f.Words) == 0 {
		return true
	}
	session := ""
	if r.Session != "" {
		session = "\n" + r.Session + "\n" + f.Titles[r.Session]
	}
	if r.Commit != "" {
		session += "\n" + r.Commit + "\n" + r.Message
	}
	session += "\n" + r.Transfer
	return hasAll(r.Path, session, f.Words) || r.OldPath != "" && hasAll(r.OldPath, session, f.Words)
}

// hasAll reports whether all words occur in a path or in the rest. All paths begin with the root, so only a word with a slash, which is
// part of a path, may occur there.
func hasAll(path, rest string, words []string) bool {
	path, rest = strings.ToLower(path), strings.ToLower(rest)
	below := strings.TrimPrefix(path, memstore.Root)
	for _, w := range words {
		w = strings.ToLower(w)
		if !strings.Contains(below+rest, w) && !(strings.Contains(w, "/") && strings.Contains(path, w)) {
			return false
		}
	}
	return true
}
