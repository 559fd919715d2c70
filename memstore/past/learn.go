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
