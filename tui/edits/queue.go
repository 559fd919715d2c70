// Package edits does to the store what the user asks for by key: it deletes, moves, undoes and redoes. One edit follows the other in
// the order of the keys, each after its question where it needs one, and is told of when it has ended. The shell and the screens
// call it; it changes a store only through the handlers of memstore, on behalf of the curator.
package edits

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/policy"
	"memcurator/memstore/undo"
	"memcurator/tui/ui"
)

import ()

// Owner names the job of the edit under way.
const Owner = "edit of the store"

// Queue holds the edits that wait for their turn: an undo that is asked for while files are being deleted takes back that
// deletion and not what was before it. All methods run on the Bubble Tea goroutine.
type Queue struct {
	Options
	env     *ui.Env
	shell   *ui.Shell
	waiting []waitingEdit
	busy    bool
	groups  int // made so far, to name them
}

// Options are what edits are made to.
type Options struct {
	Store     func() *memstore.Store // the one that is on the screen
	Journal   *journal.Journal       // nil where there is none, and NoJournal says why
	NoJournal string
	Log       *slog.Logger
	// WhyNoWrite says why nothing can be changed now; without a text it can.
	WhyNoWrite func() ui.Say
	// Changed is called after each edit: a revision may have been taken back by it.
	Changed func() tea.Cmd
	// EditText hands a text for a path to the user's editor; ours is what the file must still hold when it is written.
	EditText func(path string, ours, text []byte) tea.Cmd
}

// New makes a queue.
func New(env *ui.Env, shell *ui.Shell, o Options) *Queue {
	return &Queue{Options: o, env: env, shell: shell}
}

// Edit is one thing that is done to the store, with an outcome of type T.
type Edit[T any] struct {
	Label string
	Work  func(context.Context, *ui.Progress) (T, error)
	Done  func(T) tea.Cmd
	// Dropped is told that the edit failed, or was not begun since the one before it did; may be nil.
	Dropped func()
}

type waitingEdit struct {
	start   func() tea.Cmd
	dropped func()
}

// Do does an edit as soon as those before it have ended.
func Do[T any](q *Queue, e Edit[T]) tea.Cmd {
	start := func() tea.Cmd {
		return ui.Start(q.env.Jobs, ui.Job[T]{
			Owner: Owner, Label: e.Label, Write: true, Work: e.Work,
			Done: func(outcome T) tea.Cmd {
				q.busy = false
				done := e.Done(outcome)
				return tea.Batch(done, q.Changed(), q.next())
			},
			Failed: func() {
				if e.Dropped != nil {
					e.Dropped()
				}
				q.busy = false
				q.drop()
			},
		})
	}
	q.waiting = append(q.waiting, waitingEdit{start, e.Dropped})
	return q.next()
}

func (q *Queue) next() tea.Cmd {
	if q.busy || len(q.waiting) == 0 {
		return nil
	}
	first := q.waiting[0]
	q.waiting, q.busy = q.waiting[1:], true
	return first.start()
}

// drop forgets what waits: it was asked for in the belief that the edit before it works.
func (q *Queue) drop() {
	waiting := q.waiting
	q.waiting = nil
	for _, e := range waiting {
		if e.dropped != nil {
			e.dropped()
		}
	}
}

// Busy reports whether an edit is under way.
func (q *Queue) Busy() bool { return q.busy }

// group names an edit of several steps.
func (q *Queue) group() string {
	q.groups++
	return fmt.Sprintf("ui %d %d", q.env.Now().UnixNano(), q.groups)
}

// WhyNoRemoval says why nothing may be removed now: what could not be undone is not done, unless the program was started
// without a journal on purpose.
func (q *Queue) WhyNoRemoval() ui.Say {
	if why := q.WhyNoWrite(); why.Text != "" {
		return why
	}
	if q.Journal == nil && q.NoJournal != "" {
		return ui.Say{Level: ui.Warn, Text: "not done, since it could not be undone: there is no journal (" + q.NoJournal + ")"}
	}
	return ui.Say{}
}

// Blocked reports whether nothing can be changed now, and tells why.
func (q *Queue) Blocked() bool { return q.told(q.WhyNoWrite()) }

// Refuses reports whether nothing may be removed now, and tells why.
func (q *Queue) Refuses() bool { return q.told(q.WhyNoRemoval()) }

// told says what is in the way and reports whether anything is.
func (q *Queue) told(why ui.Say) bool {
	if why.Text != "" {
		q.shell.Tell(why.Level, why.Text)
	}
	return why.Text != ""
}

// Reason says why a step was not done.
func Reason(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "you stopped it"
	case errors.Is(err, policy.ErrUsed):
		return "the agent has used it just now"
	case errors.Is(err, memstore.ErrExist):
		return "something else is there by now"
	case errors.Is(err, memstore.ErrNotExist):
		return "it is gone"
	}
	return cmp.Or(undo.Reason(err), "it could not be done")
}

// NoJournalText says why a screen of revisions cannot be shown.
func NoJournalText(why string) string {
	if why == "" {
		why = "it was started without one"
	}
	return "there is no journal: " + why
}
