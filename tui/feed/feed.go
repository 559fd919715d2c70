// Package feed follows the record of changes for the screen. It holds the revisions recorded since the start, those that are
// unread, whenever they were recorded, and the health of the record. One command waits for news; its message goes to
// [Feed.Take], which returns what happened and the next command. It knows nothing about panes.
package feed

import (
	"context"
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/past"
)

// Bounds of what is held.
const (
	most       = 1_000  // revisions since the start
	mostUnread = 10_000 // the newest ones; there may be more
	batchSize  = 500
)

// Source is the record; package journal has one.
type Source interface {
	past.Lister
	// Follow returns up to most revisions recorded after seen, waiting until there is one or ctx is done. Numbers may have
	// gaps, but no number at or below a delivered one appears later. A change to any other field of the state also returns
	// a Batch, possibly without revisions.
	Follow(ctx context.Context, seen past.State, most int) (past.Batch, error)
	// State returns the current position at once: an edit that has just ended may be missing.
	State(ctx context.Context) (past.State, error)
}

// Watcher is a screen that shows what is recorded of the store.
type Watcher interface {
	// Changed takes new revisions, at least one.
	Changed([]past.Revision) tea.Cmd
}

// Feed is the state of the record as the interface knows it. Make it with [New]; its methods are for the Bubble Tea goroutine.
type Feed struct {
	life   context.Context
	source Source

	state   past.State // of the last message; its Last is the cursor
	begun   bool       // state is known
	start   int64      // what is held since the start has higher numbers
	unseen  int64      // changes found by comparing with the disk count as older than the start up to this revision
	arrived []past.Revision
	unread  unread
	passed  []past.Revision // what was read in this run, the newest last

	reread bool // the unread revisions must be read again
	query  int  // the number of that under way
	stop   context.CancelFunc
	// What was read here, and is unread in the record until it is marked there: revisions with the last query whose answer may be older
	// than that mark.
	read     map[int64]int
	unmarked []int64 // those of read that no job is marking
}

// New makes a feed of a record, which begins with its state when the command of [Feed.Start] runs; life ends it.
func New(life context.Context, source Source) *Feed {
	return &Feed{
		life: life, source: source, stop: func() {}, unseen: math.MaxInt64, read: map[int64]int{},
		unread: unread{at: map[int64]string{}, paths: map[string]int{}},
	}
}

// Start is the command that delivers the first message.
func (f *Feed) Start() tea.Cmd { return f.waitForNews() }

// Begun reports whether the record was read: until then it is not known what is new since the start.
func (f *Feed) Begun() bool { return f.begun }

// Revisions are the newest since the start, oldest first. The slice is valid until the next message.
func (f *Feed) Revisions() []past.Revision { return f.arrived }

// Compared notifies the feed that the record was compared with the disk: changes found by that, up to a revision, happened before
// the start.
func (f *Feed) Compared(last int64) { f.unseen = last }

// Newest is the number of the last revision that was delivered.
func (f *Feed) Newest() int64 { return f.state.Last }

// Damaged reports whether the record was found to be damaged.
func (f *Feed) Damaged() bool { return f.state.Damaged }

// Find returns a revision since the start.
func (f *Feed) Find(rev int64) (past.Revision, bool) {
	i, ok := slices.BinarySearchFunc(f.arrived, rev, byRev)
	if !ok {
		return past.Revision{}, false
	}
	return f.arrived[i], true
}

// Since lists the revisions after another.
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

// Forget discards everything that was read, so that none of it can be shown. The command reads the unread revisions again and
// replaces the one under way.
func (f *Feed) Forget() tea.Cmd {
	f.forget(f.state.Last)
	return f.waitForNews()
}

func (f *Feed) forget(upTo int64) {
	f.arrived, f.passed, f.start = nil, nil, upTo
	f.unread.set(nil, nil)
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
