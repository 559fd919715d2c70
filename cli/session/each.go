package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/memstore/discover"
	"memcurator/memstore/overview"
	"memcurator/render/text"
)

// allFlag is the name of the flag that makes a command work on all stores.
const allFlag = "all"

// AllFlag adds --all to a command that has --dir.
func AllFlag(c *cobra.Command, all *bool, does string) {
	c.Flags().BoolVar(all, allFlag, false, does+" every store of this machine")
}

// listFor limits the search for stores. A disk that is busy is waited for; what takes longer is taken for one that hangs.
const listFor = 30 * time.Second

// ListStores finds the stores of this machine, for a command that waits for them. The rows are good with an error too, which says that
// they are not all.
func ListStores(ctx context.Context, reader *overview.Reader) ([]overview.Row, error) {
	within, cancel := context.WithTimeout(ctx, listFor)
	defer cancel()
	rows := reader.List(within)
	switch {
	case ctx.Err() != nil:
		return rows, Failed(ctx.Err(), "Stopped")
	case within.Err() != nil:
		return rows, Failed(nil, "Found only a part of the stores within %v: a disk may not answer", listFor)
	}
	return rows, nil
}

// Each is a command on all stores of this machine, one after another. While it works on one, --dir names that store, messages begin with
// it, lines of JSON have its path as the key store, and so that people see it too, [Output.Lines] begins with a heading if Headings is
// set.
type Each struct {
	Headings bool
	Stores   int // how many there are
	Failed   int // how many could not be read to the end
	Pending  int // in how many --check found something

	path, title string // of the store in work
	headed      bool   // its heading is printed
	ended       bool   // an error ended the whole command
	engines     engines
}

// EachStore runs a command on all stores. args are positionals that may not be there. What can't be read of one store is reported, and the
// others go on; the error then is that of [ExitFailed], else that of [ExitPending] if a store had that. Wrong use ends it at once.
func (run *Session) EachStore(c *cobra.Command, args []string, e *Each, do func() error) error {
	dir := c.Flags().Lookup("dir")
	if len(args) > 0 || dir.Changed {
		return WrongUse("--all works on every store: leave out DIR")
	}
	s, err := run.Settings()
	if err != nil {
		return err
	}
	rows, partial := answering(c.Context(), run.Overview(s))
	if e.Stores = len(rows); e.Stores == 0 && partial == nil {
		run.Say(NoStores)
	}
	defer func() {
		run.setStore(nil, overview.Row{})
		dir.Changed = false
	}()
	for _, row := range rows {
		run.setStore(e, row)
		if row.State == overview.Unreadable {
			e.Failed++
			run.Say("Not read: " + text.Clean(row.Problems[len(row.Problems)-1])) // why, after what else is known of it
			continue
		}
		if err := dir.Value.Set(row.Path); err != nil {
			return err
		}
		dir.Changed = true
		if err := do(); err != nil && e.ends(run, c.Context(), err) {
			e.ended = true
			return err
		}
	}
	if partial != nil {
		return partial
	}
	return e.verdict()
}

// answering finds the stores of this machine, and whether they answer. The error is that of [ListStores].
func answering(ctx context.Context, reader *overview.Reader) ([]overview.Row, error) {
	rows, err := ListStores(ctx, reader)
	reader.Fill(ctx, rows, 0, func(at int, row overview.Row) { rows[at] = row })
	return rows, err
}

// ends counts and reports the error of one store, unless it ends the whole command.
func (e *Each) ends(run *Session, ctx context.Context, err error) bool {
	var exit *ExitError
	wrongUse := errors.As(err, &exit) && exit.Code == ExitWrongUse
	switch {
	case run.Out.Err != nil, ctx.Err() != nil, wrongUse:
		return true
	case exit != nil && exit.Code == ExitPending:
		e.Pending++
	default:
		e.Failed++
		run.Fail(err)
	}
	return false
}

// Sum prints what was found in how many of the stores that were read, or that none has any.
func (e *Each) Sum(run *Session, in int, found, none string) {
	if e.ended {
		return // no store counts
	}
	read := max(in, e.Stores-e.Failed)
	switch stores := output.Counted(read, "store"); {
	case read == 0:
	case in == 0:
		run.Say(none + " in " + stores)
	default:
		run.Say(fmt.Sprintf("%s in %d of %s", found, in, stores))
	}
}

// NoStores is the message on a machine without a store.
const NoStores = "No memory directory found. Try " + Program + " demo, start one with " + Program +
	" init DIR, or pass DIR"

func (e *Each) verdict() error {
	switch {
	case e.Failed > 0:
		return Failed(nil, "Can't read %d of %s in full", e.Failed, output.Counted(e.Stores, "store"))
	case e.Pending > 0:
		return &ExitError{Code: ExitPending}
	}
	return nil
}

// setStore sets the store of several that a command works on now; nil: on one alone.
func (run *Session) setStore(e *Each, row overview.Row) {
	run.saying.Lock()
	defer run.saying.Unlock()
	run.each, run.Out.each = e, e
	if e != nil {
		e.path, e.title, e.headed = Absolute(row.Path), Title(row.Path), false
	}
}

// AtStore prints something about one of the stores that [Session.EachStore] has worked on.
func (run *Session) AtStore(e *Each, path string, do func() error) error {
	run.setStore(e, overview.Row{Found: discover.Found{Path: path}})
	defer run.setStore(nil, overview.Row{})
	return do()
}

// Every reports whether a command works on all stores.
func (run *Session) Every() bool { return run.each != nil }

// StoreColumn begins a line about one of several stores.
func (run *Session) StoreColumn() string {
	if run.each == nil {
		return ""
	}
	return text.Clean(run.each.title) + "  "
}

// prefix begins a message; the caller has saying.
func (run *Session) prefix() string {
	if run.each == nil || run.each.title == "" {
		return Program + ": "
	}
	return Program + ": " + run.each.title + ": "
}
