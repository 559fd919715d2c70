package past

import (
	"context"
	"time"

	"memcurator/memstore"
)

// Call is a command of an agent that changed nothing: a view, or one that failed. Calls are not part of the record: only the newest
// are kept, and a purge drops all.
type Call struct {
	Time    time.Time      `json:"time"`
	Actor   memstore.Actor `json:"actor"`
	Session string         `json:"session,omitempty"`
	Command string         `json:"command"`
	Path    string         `json:"path"`
	Failed  string         `json:"failed,omitempty"` // why, in a few words, without a text of the agent; "": it was a view
}

// CallFollower delivers calls as they are made, by this process or any other.
type CallFollower interface {
	// FollowCalls returns the calls after a position, waiting until there is one or ctx is done, and the position after them. A
	// position below 0 is now.
	FollowCalls(ctx context.Context, after int64) (calls []Call, next int64, err error)
}
