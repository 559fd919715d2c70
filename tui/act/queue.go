package act

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/memstore/undo"
	"memcurator/memstore/watch"
	"memcurator/tui/kit"
)

// Owner names the job of the edit under way.
const Owner = "edit of the store"

// Queue holds the edits that wait for their turn: an undo requested while files are being deleted undoes that
// deletion and not the edit before it. All methods run on the Bubble Tea goroutine.
type Queue struct {
	*Store

	env        *kit.Env
	shell      Shell
	waiting    []func() tea.Cmd // which start the edits
	busy       bool
	groups     int           // created so far, to name them
	unrecorded []*unrecorded // oldest first
	undone     []*unrecorded // of these, the newest undo last, that redo reaches
	sureFrom   time.Time     // from here on an undo needs no question: the start of the program, or the last purge
	purges     bool          // there was a purge
	agreed     *undo.Plan    // the plan that the user has just agreed to
}

// New makes a queue.
func New(env *kit.Env, shell Shell, store *Store) *Queue {
	env.Declare(keymap.Merge, []kit.Action{
		{ID: "keep-current", Keys: "-", Help: "keep the current lines (-) of all conflicts", Hint: "keep all - lines"},
		{ID: "keep-yours", Keys: "+", Help: "take the other lines (+) of all conflicts: what you wrote or bring back; u undoes",
			Hint: "use all + lines"},
		{ID: keymap.Edit, Keys: "e", Help: "edit the text in $VISUAL or $EDITOR, with conflict markers", Hint: "edit both"},
		{ID: keymap.No, Keys: "esc q", Help: "leave: decide nothing", Hint: "leave"},
	})
	return &Queue{Store: store, env: env, shell: shell, sureFrom: env.Now()}
}

// Edit is one change of the store, with an outcome of type T.
type Edit[T any] struct {
	Label string
	Work  func(context.Context, *kit.Progress) (T, error)
	Done  func(T) tea.Cmd
}

// Do runs an edit as soon as those before it have finished.
func Do[T any](q *Queue, e Edit[T]) tea.Cmd {
	start := func() tea.Cmd {
		return kit.Start(q.env.Jobs, kit.Job[T]{
			Owner: Owner, Label: e.Label, Write: true, Work: e.Work,
			Done: func(outcome T) tea.Cmd {
				q.busy = false
				done := e.Done(outcome)
				q.env.Emit(Changed{})
				return tea.Batch(done, q.next())
			},
			Failed: func() {
				q.busy = false
				q.drop()
				q.env.Emit(Changed{}) // it may have done half of it
			},
		})
	}
	if q.busy {
		q.shell.Tell(kit.Info, "Next, once the change under way is done")
	}
	q.waiting = append(q.waiting, start)
	return q.next()
}

func (q *Queue) next() tea.Cmd {
	if q.busy || len(q.waiting) == 0 {
		return nil
	}
	first := q.waiting[0]
	q.waiting, q.busy = q.waiting[1:], true
	return first()
}

// drop discards the waiting edits: they were requested on the assumption that the one before them succeeds.
func (q *Queue) drop() { q.waiting = nil }

// Busy reports whether an edit is under way.
func (q *Queue) Busy() bool { return q.busy }

// Group names an edit of several steps.
func (q *Queue) Group() string {
	q.groups++
	return fmt.Sprintf("ui %d %d", q.env.Now().UnixNano(), q.groups)
}

// WhyNoWrite returns the reason why what is shown can't be changed now.
func (q *Queue) WhyNoWrite() kit.Say {
	if why := q.shell.WhyPast(); why.Text != "" {
		return why
	}
	return q.WhyUnwritable()
}

// WhyUnwritable returns the reason why nothing can be changed at all.
func (q *Queue) WhyUnwritable() kit.Say {
	if q.Watched == watch.Unavailable {
		return kit.Say{Level: kit.Warn, Text: q.env.Keyed("The folder of this store is unavailable. {global/alert} shows why")}
	}
	if q.Damaged != "" {
		return kit.Say{Level: kit.Warn, Text: q.env.Keyed("The journal is damaged, so nothing can be changed. {global/alert} shows the repair")}
	}
	return kit.Say{Text: q.env.Keyed(q.WhyReadOnly)}
}

// WhyNoRemoval returns the reason why nothing may be removed now: what could not be undone is refused, unless the
// program was started without a journal on purpose.
func (q *Queue) WhyNoRemoval() kit.Say {
	if why := q.WhyNoWrite(); why.Text != "" {
		return why
	}
	if q.Journal == nil && q.NoJournal != "" {
		return kit.Say{Level: kit.Warn, Text: "No journal, so deleting is off: " + q.NoJournal}
	}
	return kit.Say{}
}

// RefusesRemoval reports whether removals are refused now, and says why.
func (q *Queue) RefusesRemoval() bool { return q.told(q.WhyNoRemoval()) }

// told shows a reason, if any, and reports whether it did.
func (q *Queue) told(why kit.Say) bool {
	if why.Text != "" {
		q.shell.Tell(why.Level, why.Text)
	}
	return why.Text != ""
}

// Reason explains why a step was not done.
func Reason(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "you stopped it"
	case errors.Is(err, policy.ErrUsed):
		return "the agent just used it"
	case errors.Is(err, memstore.ErrExist):
		return "the name is taken"
	case errors.Is(err, memstore.ErrNotExist):
		return "it no longer exists"
	}
	return cmp.Or(memstore.Reason(err), "unknown error")
}

// NoJournalText explains why there are no revisions to show.
func NoJournalText(why string) string {
	if why == "" {
		why = "started without one"
	}
	return "No journal: " + why
}
