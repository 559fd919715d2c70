package past

import (
	"time"

	"memcurator/memstore"
)

// Told is what a transcript has about a change: which call made a path what it is, and when.
type Told struct {
	Path   string           // agent path
	After  *memstore.Digest // of the file after the call; nil: nothing is there any more
	At     time.Time
	Turn   int             // number of the message; 0: not known
	Origin memstore.Origin // Session, Model and ToolUseID
}

// Commit describes changes that git recorded in one step.
type Commit struct {
	Hash  string
	Title string          // the first line of its message
	Time  time.Time       // when it was made, or came from elsewhere
	Paths map[string]bool // agent paths of the files that it changed
}

// shortCommit is how many digits name a commit to people, as git does.
const shortCommit = 7

// ShortCommit is the beginning of a commit's hash, which names it to people.
func ShortCommit(hash string) string { return hash[:min(shortCommit, len(hash))] }
