package session

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"memcurator/cli/output"
	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

// lookAgainAfter is when a file that another program owns is looked at again after an edit: a program that had read it before the edit has
// written by then.
const lookAgainAfter = 2 * time.Second

// owned are the stores of other programs that a command may edit.
type owned struct {
	mu   sync.Mutex
	list []ownedStore
}

type ownedStore struct {
	dir, process string
	store        *adapt.Store
}

// add takes a store whose journal is opened. The interface has an alarm of its own.
func (w *owned) add(dir string, o journal.Options) {
	s, ok := o.Backend.(*adapt.Store)
	if !ok || o.Look || o.Process == "ui" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, ownedStore{dir, o.Process, s})
}

// take returns the stores, once.
func (w *owned) take() []ownedStore {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := w.list
	w.list = nil
	return list
}

// LookAgain looks at the files of other programs that the command has edited, a while after its last edit, and says which edits their
// programs have written over. The error is for commands that report whether an edit was made, which exec and mcp don't with their status.
func LookAgain(run *Session, ctx context.Context) (err error) {
	for _, o := range run.owned.take() {
		first, last := o.store.Edited()
		if first.IsZero() {
			continue
		}
		select {
		case <-time.After(time.Until(last.Add(lookAgainAfter))):
		case <-ctx.Done():
			return err
		}
		over, failed := overwritten(run, ctx, o.dir, first)
		if failed != nil {
			run.Log.Warn("an edit was not looked at again", "error", failed)
		}
		if len(over) == 0 {
			continue
		}
		run.Say(overwrittenText(over, run.State().undoCommand(o.dir, over)))
		if o.process != "exec" && o.process != "mcp" {
			err = &ExitError{Code: ExitFailed}
		}
	}
	return err
}

// overwritten records what a program did to its memory, and returns the edits since a moment that it has written over.
func overwritten(run *Session, ctx context.Context, dir string, since time.Time) (over []past.Overwritten, err error) {
	b, err := run.Locator().OpenPlain(dir, false)
	if err != nil {
		return nil, err
	}
	defer func() { _ = b.Close() }() // it was only read
	j, err := run.OpenJournal(dir, journal.Options{Backend: b, Process: "cli"})
	if err != nil {
		return nil, err
	}
	defer func() { _ = j.Close() }() // the next start settles the rest
	if _, err := j.Reconcile(ctx, nil); err != nil {
		return nil, err
	}
	var list []past.Revision
	err = j.List(ctx, past.Filter{Since: since.Add(-past.OverwrittenWithin)}, func(r past.Revision) bool {
		list = append(list, r)
		return true
	})
	for _, o := range past.FindOverwritten(list) {
		if !o.By.Time.Before(since) { // an earlier command said so of the others
			over = append(over, o)
		}
	}
	return over, err
}

// overwrittenText says which edits are lost, and how to restore them.
func overwrittenText(over []past.Overwritten, undo string) string {
	newest := over[len(over)-1].Edit
	whose := "an agent's"
	if newest.Actor == memstore.Curator {
		whose = "your"
	}
	more, it := "", "it"
	if n := len(over) - 1; n > 0 {
		more, it = " and of "+output.Counted(n, "other file"), "them"
	}
	return fmt.Sprintf("Its server has written over %s edit of %s%s. To restore %s, run: %s", whose, text.Clean(newest.Path), more, it, undo)
}

// undoCommand is the command that reverts what a program wrote over edits.
func (s State) undoCommand(dir string, over []past.Overwritten) string {
	var revs strings.Builder
	for _, o := range over {
		fmt.Fprintf(&revs, " %d", o.By.Rev)
	}
	return Program + " undo " + s.Words() + Typed(dir) + revs.String()
}
