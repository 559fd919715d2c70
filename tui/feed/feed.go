// Package feed follows the record of changes for the screen. It holds what was recorded since the start, what the user has
// not seen, whenever that was recorded, and how well the record works. One command waits for what is new; its message goes to
// [Feed.Take], which says what happened and gives the next command. It knows nothing of panes: the root asks it, and hands on.
package feed

import (
	"context"
	"math"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/past"
)

// Bounds of what is held.
const (
	Most       = 1_000  // revisions since the start
	MostUnread = 10_000 // the newest ones; there may be more
	batchSize  = 500
	// lagMost is how many revisions may wait: who is further behind goes on with the newest.
	lagMost = 2_000
)

// Source is the record; [journal.Journal] is one.
type Source interface {
	past.Follower
	State(ctx context.Context) (past.State, error)
	Revisions(ctx context.Context, f past.Filter) ([]past.Revision, error)
}

// Feed is what is known of the record. Make it with [New]; its methods are for the Bubble Tea goroutine.
type Feed struct {
	life   context.Context
	source Source

	state   past.State // of the last message; its Last is the cursor
	begun   bool       // state is known
	start   int64      // what is held since the start has higher numbers
	unseen  int64      // what nobody has seen happen is from before the start up to this one
	arrived []past.Revision
	unread  unread
	health  past.Health

	reread bool      // the unread ones are not those of the record
	credit time.Time // moves on by newsEvery with each command, never far behind now
	turn   int       // of the command under way
	stop   context.CancelFunc
	marks  []*Mark
	owed   int64 // how often the state's Flags are going to rise by marks of this process
	read   []int64
}

// New makes a feed of a record, which begins with what is there when [Feed.Start] is carried out; life ends it.
func New(life context.Context, source Source) *Feed {
	return &Feed{unseen: math.MaxInt64, life: life, source: source, unread: unread{paths: map[string]int{}}, stop: func() {}}
}

// Start is the command that delivers the first message.
func (f *Feed) Start() tea.Cmd { return f.waitForNews() }

// Revisions are the newest since the start, oldest first. The slice is good until the next message.
func (f *Feed) Revisions() []past.Revision { return f.arrived }

// Compared says that the record was compared with the disk: what that has found, up to a revision, had happened before the start.
func (f *Feed) Compared(last int64) { f.unseen = last }

// isBefore reports whether something had happened before the start.
func (f *Feed) isBefore(r past.Revision) bool {
	return r.Rev <= f.start || r.Note == past.NoteUnseen && r.Rev <= f.unseen
}

// Newest is the number of the last revision that was delivered.
func (f *Feed) Newest() int64 { return f.state.Last }

// Health is how well the record works.
func (f *Feed) Health() past.Health { return f.health }

// Find returns a revision since the start.
func (f *Feed) Find(rev int64) (past.Revision, bool) {
	i, ok := slices.BinarySearchFunc(f.arrived, rev, byRev)
	if !ok {
		return past.Revision{}, false
	}
	return f.arrived[i], true
}

// Since lists what came after a revision.
func (f *Feed) Since(rev int64) []past.Revision {
	i, _ := slices.BinarySearchFunc(f.arrived, rev+1, byRev)
	return f.arrived[i:]
}

// LastOf is the newest revision of a path since the start.
func (f *Feed) LastOf(path string) (past.Revision, bool) {
	for _, r := range slices.Backward(f.arrived) {
		if r.Path == path || r.OldPath == path {
			return r, true
		}
	}
	return past.Revision{}, false
}

// FirstUnread is the oldest revision since the start that the user has not seen, of a path or, with "", of all.
func (f *Feed) FirstUnread(path string) (past.Revision, bool) {
	for _, r := range f.unread.list {
		if !f.isBefore(r) && (path == "" || r.Path == path) {
			return r, true
		}
	}
	return past.Revision{}, false
}

// Forget drops all that was read, so that nothing of it can be shown. The command reads anew what is unread, in place of the
// one under way.
func (f *Feed) Forget() tea.Cmd {
	f.forget(f.state.Last)
	return f.waitForNews()
}

func (f *Feed) forget(upTo int64) {
	f.arrived, f.start = nil, upTo
	f.unread.set(nil)
	f.reread = true
}

func byRev(r past.Revision, rev int64) int {
	switch {
	case r.Rev < rev:
		return -1
	case r.Rev > rev:
		return 1
	}
	return 0
}
